import type { ServerResponse } from 'node:http';

/** A response of the chat API of OpenAI. */
export interface Completion {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: unknown;
  readonly choices: readonly {
    readonly index: number;
    readonly message: {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly reasoning_content?: string | undefined;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly type: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
    readonly finish_reason: string;
  }[];
  readonly usage: object;
}

/**
 * How a stream breaks off half way: an event with an error, a closed connection, an orderly end without a finish
 * reason, no further byte, or an event that is no JSON, after which the stream continues.
 */
export type Breaks = 'error' | 'connection' | 'end' | 'stall' | 'garbage';

/** The events of a streamed completion: text, thoughts and the arguments of tools come in pieces. */
export function chunksOf(completion: Completion, reports: 'always' | 'last' | 'never'): object[] {
  const { id, created, model, choices, usage } = completion;
  const chunk = (more: object) => ({
    ...{ id, object: 'chat.completion.chunk', created, model },
    ...(reports === 'always' && { usage }),
    ...more,
  });
  const [choice] = choices;
  const delta = (value: object, finish: string | null = null) =>
    chunk({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
  const { content, reasoning_content, tool_calls = [] } = choice?.message ?? {};
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces(reasoning_content ?? '').map((piece) => delta({ reasoning_content: piece })),
    ...pieces(content ?? '').map((piece) => delta({ content: piece })),
    ...tool_calls.flatMap(({ function: called, ...call }, index) => [
      delta({ tool_calls: [{ index, ...call, function: { name: called.name, arguments: '' } }] }),
      ...pieces(called.arguments).map((piece) =>
        delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    delta({}, choice?.finish_reason ?? 'stop'),
    ...(reports === 'last' ? [chunk({ choices: [], usage })] : []),
  ];
}

const pieces = (text: string): string[] => text.match(/.{1,4}/gs) ?? [];

const serverError = {
  error: { message: 'The server had an error processing your request.', type: 'server_error' },
};

export async function streamOut(
  response: ServerResponse,
  chunks: readonly object[],
  breaks: Breaks | undefined,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const half = breaks === undefined ? chunks.length : Math.ceil(chunks.length / 2);
  for (const chunk of chunks.slice(0, half)) await send(response, JSON.stringify(chunk));
  switch (breaks) {
    case 'connection':
      response.destroy();
      return;
    case 'stall':
      return;
    case 'error':
      await send(response, JSON.stringify(serverError));
      response.end();
      return;
    case 'end':
      response.end();
      return;
    case 'garbage':
      await send(response, '{"id":"chatcmpl-1","choi');
      for (const chunk of chunks.slice(half)) await send(response, JSON.stringify(chunk));
  }
  await send(response, '[DONE]');
  response.end();
}

/** Each event is a separate write, so that the client sees pieces. */
const send = (response: ServerResponse, data: string) =>
  new Promise((resolve) => {
    response.write(`data: ${data}\n\n`);
    setImmediate(resolve);
  });
