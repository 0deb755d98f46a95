import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { aiFamily } from '../index.ts';
import { anAiContext } from './aiContext.ts';

export type Data = Record<string, unknown>;
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: Data;
}

export const received: Received[] = [];
type Reply = (request: Received, count: number) => unknown;

let reply: Reply = () => ({});

export const play = (next: Reply): void => {
  received.length = 0;
  reply = next;
};

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = request.headers['content-type']?.includes('json') === true;
  const { method = '', url = '', headers } = request;
  received.push({ method, url, headers, text, body: isJson ? JSON.parse(text) : {} });
  const answer = reply(received.at(-1) as Received, received.length);
  const status = typeof answer === 'object' && answer !== null && 'refuse' in answer ? 429 : 200;
  if (answer instanceof Streamed) {
    response.writeHead(status, { 'content-type': 'text/event-stream' });
    response.end(answer.events.map((event) => `data: ${event}\n\n`).join(''));
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer));
});
/** A response of server-sent events. */
export class Streamed {
  readonly events: readonly string[];
  constructor(...events: unknown[]) {
    this.events = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  }
}
let redirect: Record<string, string> = {};
export async function startVendor(): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  redirect = Object.fromEntries(
    [
      'https://api.openai.com',
      'https://api.anthropic.com',
      'https://generativelanguage.googleapis.com',
      'https://api.mistral.ai',
      'https://api.deepseek.com',
      'https://api.perplexity.ai',
      'https://api-inference.huggingface.co',
      'https://videos.example.com',
    ].map((from) => [from, url]),
  );
}
export function stopVendor(): void {
  server.closeAllConnections();
  server.close();
}

export const find = (type: string) => aiFamily.types.find((one) => one.type === type) as TaskDefinition;
export const aContext = () => anAiContext({ redirect });
export async function run(type: string, properties: Data, next: Reply, context = aContext()) {
  play(next);
  const outputs = await runType(find(type), { apiKey: 'very-secret', ...properties }, context);
  return { outputs, context, request: received[0] as Received };
}

/** A response of a chat with the API of OpenAI. */
export const completion = {
  id: 'c1',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Paris' }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: 3,
    completion_tokens: 2,
    total_tokens: 5,
    prompt_tokens_details: { cached_tokens: 1 },
  },
};
