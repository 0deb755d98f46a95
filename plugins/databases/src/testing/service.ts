import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { onTestFinished } from 'vitest';
import { databasesFamily } from '../index.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A text is sent as it is, anything else as JSON. */
type Reply = readonly [status: number, body: unknown];

export interface Service {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly requests: Received[];
}

/** A server on a free port that returns the test's responses; it stops when the test ends. */
export async function aService(respond: (request: Received) => Reply): Promise<Service> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const received = {
        method: request.method ?? '',
        path: url.pathname,
        search: url.searchParams,
        headers: request.headers,
        text: Buffer.concat(chunks).toString(),
      };
      requests.push(received);
      const [status, body] = respond(received);
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: '127.0.0.1', port, requests };
}

export const aContext = (): TestContext => aTaskContext(realNetwork());

const find = (type: string) => databasesFamily.types.find((each) => each.type === type);

/** Runs a task of the family. */
export const run = (type: string, properties: object, context = aContext()) =>
  // `as`: the names in these tests are those of tasks.
  runType(find(type) as TaskDefinition, { ...properties }, context);

/** Polls a trigger of the family once. */
export function poll(type: string, properties: Readonly<Record<string, unknown>>, context = aContext()) {
  const trigger = find(type) as TriggerDefinition;
  return trigger.poll?.(context, readInput(type, trigger.input, properties));
}

export const rowsIn = async (context: TestContext, uri: unknown): Promise<unknown[]> =>
  (await context.files.text(String(uri)))
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
