/**
 * Reads the response of a model while it is generated. A response counts only when the service says why the
 * model stopped; a stream that ends before that, or reports an error, throws.
 */

import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3Reasoning,
  LanguageModelV3StreamPart,
  LanguageModelV3Text,
} from '@ai-sdk/provider';
import { mapIn } from './callJson.ts';
import { noTokens, type TokenUsage } from './outputs.ts';

export interface StreamListener {
  /** Called with each piece of text as it arrives. */
  onText(kind: 'text' | 'reasoning', piece: string): Promise<void>;
  /** Called with the tokens used so far, when the service reports them. */
  onUsage(usage: TokenUsage): void;
}

/** The stream must contain the raw chunks, in which services report the tokens used so far. */
export async function readStream(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  { onText, onUsage }: StreamListener,
): Promise<LanguageModelV3GenerateResult> {
  const content: LanguageModelV3Content[] = [];
  const open = new Map<string, LanguageModelV3Text | LanguageModelV3Reasoning>();
  let result: Pick<LanguageModelV3GenerateResult, 'warnings' | 'response'> = { warnings: [] };
  let finish: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined;
  let usage = noTokens;
  for await (const part of stream) {
    switch (part.type) {
      case 'stream-start':
        result = { ...result, warnings: part.warnings };
        break;
      case 'response-metadata':
        result = { ...result, response: part };
        break;
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        const block = { type, text: '', ...metadataOf(part) } as const;
        open.set(part.id, block);
        content.push(block);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end': {
        const block = open.get(part.id);
        if (!block) break;
        // The signature of a thought comes with its last piece.
        Object.assign(block, metadataOf(part));
        if (!('delta' in part)) break;
        block.text += part.delta;
        await onText(block.type, part.delta);
        break;
      }
      case 'raw':
        usage = { ...usage, ...reportedTokens(part.rawValue) };
        onUsage({ ...usage, totalTokenCount: usage.inputTokenCount + usage.outputTokenCount });
        break;
      case 'error':
        throw part.error;
      case 'finish':
        finish = part;
        break;
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
        break; // The whole call follows.
      default:
        content.push(part);
    }
  }
  if (finish?.finishReason.raw === undefined)
    throw new Error('it ended before the service said why the model stopped');
  return { content, finishReason: finish.finishReason, usage: finish.usage, ...result };
}

const metadataOf = ({ providerMetadata }: Pick<LanguageModelV3Text, 'providerMetadata'>) =>
  providerMetadata ? { providerMetadata } : {};

/** The tokens in a chunk of OpenAI, Anthropic or Google. */
function reportedTokens(chunk: unknown): Partial<TokenUsage> {
  const { usage, usageMetadata, message } = mapIn(chunk);
  const told = { ...mapIn(mapIn(message).usage), ...mapIn(usage), ...mapIn(usageMetadata) };
  const input = told.prompt_tokens ?? told.input_tokens ?? told.promptTokenCount;
  const output = told.completion_tokens ?? told.output_tokens ?? told.candidatesTokenCount;
  return {
    ...(typeof input === 'number' && { inputTokenCount: input }),
    ...(typeof output === 'number' && { outputTokenCount: output }),
  };
}

const longestLine = 500;

/** Passes text that arrives in pieces on by line; a long line is cut at a space. */
export class LineCutter {
  readonly #onLine: (line: string) => void | Promise<void>;
  #pending = '';

  constructor(onLine: (line: string) => void | Promise<void>) {
    this.#onLine = onLine;
  }

  async push(piece: string): Promise<void> {
    this.#pending += piece;
    for (let end = this.#end(); end > 0; end = this.#end()) await this.#cut(end);
  }

  flush(): Promise<void> {
    return this.#cut(this.#pending.length);
  }

  #end(): number {
    const line = this.#pending.indexOf('\n') + 1;
    if (line > 0 || this.#pending.length <= longestLine) return line;
    return this.#pending.lastIndexOf(' ', longestLine) + 1 || longestLine;
  }

  async #cut(end: number): Promise<void> {
    const line = this.#pending.slice(0, end).trimEnd();
    this.#pending = this.#pending.slice(end);
    if (line !== '') await this.#onLine(line);
  }
}
