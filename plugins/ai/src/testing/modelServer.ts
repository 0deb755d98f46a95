import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer, readBody } from './localServer.ts';
import { type Breaks, type Completion, chunksOf, streamOut } from './streamedCompletion.ts';

type Data = Record<string, unknown>;

export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Data;
}

interface Manner {
  /** How a streamed response breaks off half way. */
  readonly breaks?: Breaks;
  /** Reports the tokens in each event, as some servers do. */
  readonly reportsTokens?: boolean;
  /** Responds as a whole although the request asks for a stream, as some servers do. */
  readonly ignoresStream?: boolean;
}

/** The next response of the model, in the order of the script. */
export type Step =
  | (Manner & { readonly text: string; readonly finish?: string; readonly thinking?: string })
  | (Manner & {
      readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
      readonly text?: string;
    })
  | { readonly status: number; readonly message?: string; readonly retryAfter?: string }
  /** Never responds. */
  | 'silence';

type Script = readonly Step[] | ((request: ModelRequest, count: number) => Step);

/**
 * A server with the API of OpenAI for tests. It validates requests like the real one, responds from a script,
 * and creates embeddings in which texts with common words are close.
 */
export class ModelServer extends LocalServer {
  readonly requests: ModelRequest[] = [];
  /** The number of streamed responses whose connection is open. */
  openStreams = 0;
  #script: Script = [];
  #count = 0;

  override get url(): string {
    return `${super.url}/v1`;
  }

  /** Sets the responses from now on and clears the recorded requests. */
  play(script: Script): void {
    this.#script = script;
    this.#count = 0;
    this.requests.length = 0;
  }

  get bodies(): Data[] {
    return this.requests.map(({ body }) => body);
  }

  protected async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '';
    const body: Data = JSON.parse((await readBody(incoming)).toString('utf8') || '{}');
    const request = { path, headers: incoming.headers, body };
    const reply = (status: number, value: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    this.requests.push(request);
    if (incoming.headers.authorization === 'Bearer wrong')
      return reply(401, {
        error: { message: 'Incorrect API key provided: wrong', type: 'invalid_request_error' },
      });
    if (path === '/v1/embeddings') return reply(200, embed(body));
    if (path === '/v1/images/generations')
      return reply(200, { created: 1, data: [{ b64_json: Buffer.from('an image').toString('base64') }] });
    if (path !== '/v1/chat/completions')
      return reply(404, { error: { message: `Unknown request URL: ${path}` } });
    const problem = problemIn(body);
    if (problem) return reply(400, { error: { message: problem, type: 'invalid_request_error' } });
    const step = this.#next(request);
    if (step === 'silence') return;
    if ('status' in step)
      return reply(
        step.status,
        { error: { message: step.message ?? 'The server had an error.' } },
        step.retryAfter === undefined ? {} : { 'retry-after': step.retryAfter },
      );
    const whole = completion(body, step);
    if (body.stream !== true || step.ignoresStream) return reply(200, whole);
    this.openStreams++;
    response.on('close', () => this.openStreams--);
    const usage = step.reportsTokens ? 'always' : isMap(body.stream_options) ? 'last' : 'never';
    await streamOut(response, chunksOf(whole, usage), step.breaks);
  }

  #next(request: ModelRequest): Step {
    const count = this.#count++;
    if (typeof this.#script === 'function') return this.#script(request, count);
    return this.#script[count] ?? { text: 'The script has ended.' };
  }
}

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null;

function completion(body: Data, step: Exclude<Step, 'silence' | { status: number }>): Completion {
  const calls = 'calls' in step ? step.calls : [];
  const message = {
    role: 'assistant' as const,
    content: step.text ?? null,
    ...('thinking' in step && { reasoning_content: step.thinking }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, arguments: given }, index) => ({
        id: `call_${index + 1}`,
        type: 'function',
        function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
      })),
    }),
  };
  const finish =
    'finish' in step && step.finish !== undefined ? step.finish : calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: body.model,
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

/** The problem for which OpenAI would reject the request. */
function problemIn({ model, messages, tools, stream, stream_options }: Data): string | undefined {
  if (stream_options !== undefined && stream !== true)
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  if (typeof model !== 'string' || model === '') return 'you must provide a model parameter';
  if (model === 'unknown') return 'The model `unknown` does not exist';
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must not be empty";
  const names = new Set<unknown>();
  for (const tool of Array.isArray(tools) ? tools : []) {
    const name = String(tool.function?.name);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return `Invalid 'tools[].function.name': ${name}`;
    if (names.has(name)) return `Two tools are called ${name}`;
    names.add(name);
  }
  const asked = new Set<unknown>();
  for (const message of messages) {
    for (const call of message.tool_calls ?? []) asked.add(call.id);
    if (message.role === 'tool' && !asked.has(message.tool_call_id))
      return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
  }
  return undefined;
}

const dimensions = 64;

/** Embeds a text with one dimension per word, chosen by hash; the model `short` has half as many. */
function embed({ input, model }: Data): unknown {
  const length = model === 'short' ? dimensions / 2 : dimensions;
  const texts = Array.isArray(input) ? input.map(String) : [String(input)];
  return {
    object: 'list',
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, length) })),
    usage: { prompt_tokens: texts.length * 3, total_tokens: texts.length * 3 },
  };
}

export function vectorOf(text: string, size = dimensions): number[] {
  const vector = Array.from({ length: size }, () => 0);
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 9973;
    vector[hash % size] = (vector[hash % size] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
