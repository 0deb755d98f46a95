import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundClient, type ExecutionFacts, type TaskContext } from '@millrace/plugin-kit';
import { aTaskContext, type TestContext } from '@millrace/plugin-kit/testing';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body as JSON, or the fields of a form. */
  readonly body: Record<string, unknown>;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
}

/** An HTTP service for one test: it records requests and returns the test's replies. */
export async function startReceiver(
  reply: (request: Received, count: number) => Reply | 'silence' = () => ({ body: 'ok' }),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '/', 'http://receiver');
    const one: Received = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      text,
      body: readBody(text, request.headers['content-type'] ?? ''),
    };
    received.push(one);
    const answer = reply(one, received.length);
    if (answer === 'silence') return;
    const { status = 200, headers = {}, body = '' } = answer;
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}

function readBody(text: string, type: string): Record<string, unknown> {
  if (type.includes('form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export const failedExecution: ExecutionFacts = {
  id: '5cBZ1JF8kim8fbFg13bumX',
  tenantId: 'main',
  namespace: 'company.team',
  flowId: 'orders',
  state: 'FAILED',
  startDate: '2026-01-31T08:00:00.000Z',
  endDate: '2026-01-31T08:01:05.250Z',
  labels: [],
  link: 'https://millrace.example.com/main/executions/company.team/orders/5cBZ1JF8kim8fbFg13bumX',
  failedTaskId: 'load',
  lastTaskId: 'alert',
};

interface Given {
  readonly facts?: Partial<ExecutionFacts>;
  /** Addresses that are redirected to the receiver, for services whose address is not a property. */
  readonly redirect?: { readonly from: string; readonly to: string };
  readonly variables?: TaskContext['variables'];
}

/** A context with a real network and one known execution. */
export function aNotifyingContext({ facts, redirect, variables }: Given = {}): TestContext {
  const client = createOutboundClient({});
  onTestFinished(() => client.close());
  return aTaskContext({
    ...(variables && { variables }),
    fetch: (request) =>
      client.send({
        ...request,
        url: redirect ? request.url.replace(redirect.from, redirect.to) : request.url,
      }),
    actions: {
      findExecution: async (id) =>
        id === 'unknown' ? undefined : { ...failedExecution, ...facts, id: facts?.id ?? failedExecution.id },
    },
  });
}
