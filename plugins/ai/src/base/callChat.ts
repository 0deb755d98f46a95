import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
} from '@ai-sdk/provider';
import type { TaskContext } from '@millrace/plugin-kit';
import { callModel, explainBrokenStream, rejectsStreams } from './modelFailure.ts';
import type { ModelProvider } from './modelProvider.ts';
import type { TokenUsage } from './outputs.ts';
import { LineCutter, readStream } from './streamedResponse.ts';

export interface ChatCall {
  readonly options: LanguageModelV3CallOptions;
  /** Whether lines of the response are logged while they arrive. */
  readonly isLogged: boolean;
  readonly onUsage: (usage: TokenUsage) => void;
}

/**
 * Calls a chat model, with a streamed response where the provider can: a long generation is never silent, and a
 * broken one is noticed. A service that rejects streams is called without from then on.
 */
export function createChatCaller(
  context: TaskContext,
  model: LanguageModelV3,
  { name, canStream = false }: ModelProvider,
): (call: ChatCall) => Promise<LanguageModelV3GenerateResult> {
  let isStreamed = canStream;

  const openStream = (options: LanguageModelV3CallOptions) =>
    callModel(context, name, async () => {
      try {
        return await model.doStream({ ...options, includeRawChunks: true });
      } catch (error) {
        if (rejectsStreams(error)) return undefined;
        throw error;
      }
    });

  return async ({ options, isLogged, onUsage }) => {
    const opened = isStreamed ? await openStream(options) : undefined;
    if (!opened) {
      if (isStreamed) await context.log('DEBUG', `${name} does not stream; responses are read as a whole.`);
      isStreamed = false;
      return callModel(context, name, () => model.doGenerate(options));
    }
    const lines = {
      text: new LineCutter((line) => context.log('DEBUG', `${name} writes: ${line}`)),
      reasoning: new LineCutter((line) => context.log('DEBUG', `${name} thinks: ${line}`)),
    };
    let received = 0;
    try {
      return await readStream(opened.stream, {
        onUsage,
        onText: async (kind, piece) => {
          received += piece.length;
          if (isLogged) await lines[kind].push(piece);
        },
      });
    } catch (error) {
      context.signal.throwIfAborted();
      throw explainBrokenStream(error, { name, received, masker: context.masker });
    } finally {
      await Promise.all([lines.reasoning.flush(), lines.text.flush()]);
    }
  };
}
