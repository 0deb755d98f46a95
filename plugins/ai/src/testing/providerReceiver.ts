import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer, readBody } from './localServer.ts';

type Data = Record<string, unknown>;

export interface Received {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Data;
}

type Reply = (request: Received, count: number) => unknown;

/** A receiver for the APIs that differ from OpenAI's. A list is sent as server-sent events. */
export class ProviderReceiver extends LocalServer {
  readonly received: Received[] = [];
  #reply: Reply = () => ({});

  /** Sets the responses from now on and clears the recorded requests. */
  play(reply: Reply): void {
    this.received.length = 0;
    this.#reply = reply;
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await readBody(request)).toString('utf8');
    const isJson = request.headers['content-type']?.includes('json') === true;
    const body = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
    const one = { url: request.url ?? '', headers: request.headers, body };
    this.received.push(one);
    const answer = this.#reply(one, this.received.length);
    const isStream = Array.isArray(answer);
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? answer.map(toEvent).join('') : JSON.stringify(answer));
  }
}

const toEvent = (data: Data) =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;
