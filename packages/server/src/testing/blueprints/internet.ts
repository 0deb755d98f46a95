import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Definition, TaskContext } from '@millrace/plugin-kit';

export interface Received {
  /** `POST https://api.example.com/things`, without the query. */
  readonly call: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

export type Handler = (request: Received) => Reply | Promise<Reply>;

export interface Internet {
  /** The requests since the last `clear`. */
  readonly received: Received[];
  /** The address of this server, for clients that are given one. */
  readonly url: string;
  /** Adds a response for the calls that match; the newest match wins. */
  on(call: string | RegExp, reply: Reply | Handler): void;
  /** The bodies of the requests that match, as JSON. */
  bodiesOf(call: string | RegExp): Record<string, unknown>[];
  clear(): void;
  stop(): Promise<void>;
}

const matches = (call: string | RegExp, given: string) =>
  typeof call === 'string' ? call === given : call.test(given);

/** Plays every web service: the outbound requests of tasks arrive here, whatever their host is. */
export async function startInternet(): Promise<Internet> {
  const received: Received[] = [];
  let handlers: { readonly call: string | RegExp; readonly reply: Reply | Handler }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', String(request.headers[originHeader] ?? 'http://here'));
    const one: Received = {
      call: `${request.method} ${url.origin}${url.pathname}`,
      query: url.searchParams,
      headers: request.headers,
      bytes,
      text: bytes.toString('utf8'),
    };
    received.push(one);
    const found = handlers.findLast(({ call }) => matches(call, one.call))?.reply;
    const {
      status = 200,
      headers = {},
      body = '',
    } = found === undefined
      ? { status: 501, body: `The test has no response for ${one.call}` }
      : typeof found === 'function'
        ? await found(one)
        : found;
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(status, { ...(isRaw ? {} : { 'content-type': 'application/json' }), ...headers });
    response.end(isRaw ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    received,
    url,
    on: (call, reply) => void handlers.push({ call, reply }),
    bodiesOf: (call) =>
      received.filter((one) => matches(call, one.call)).map(({ text }) => JSON.parse(text || '{}')),
    clear: () => {
      received.length = 0;
      handlers = [];
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const originHeader = 'x-test-origin';

/** The definition with outbound requests that arrive at `to` instead of another machine. */
export function redirected(definition: Definition, to: () => string): Definition {
  const leave = <C extends Pick<TaskContext, 'fetch'>>(context: C): C =>
    new Proxy(context, {
      get: (target, key) => (key === 'fetch' ? fetchThrough(target, to) : Reflect.get(target, key, target)),
    });
  if (definition.kind === 'task' && definition.role === 'task') {
    const { run } = definition;
    const runElsewhere: typeof run = (context, input) => run.call(definition, leave(context), input);
    return { ...definition, run: runElsewhere };
  }
  if (definition.kind === 'trigger') {
    const { poll, listen } = definition;
    return {
      ...definition,
      ...(poll && { poll: (context, input) => poll.call(definition, leave(context), input) }),
      ...(listen && {
        listen: (context, input, emit) => listen.call(definition, leave(context), input, emit),
      }),
    };
  }
  return definition;
}

const fetchThrough =
  (context: Pick<TaskContext, 'fetch'>, to: () => string): TaskContext['fetch'] =>
  (request) => {
    const url = new URL(request.url);
    if (url.hostname === '127.0.0.1') return context.fetch(request);
    return context.fetch({
      ...request,
      url: `${to()}${url.pathname}${url.search}`,
      headers: { ...request.headers, [originHeader]: url.origin },
    });
  };
