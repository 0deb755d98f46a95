import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Family, TaskDefinition } from '@millrace/plugin-kit';
import { createOutboundClient } from '@millrace/plugin-kit';
import { aTaskContext, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

type Data = Readonly<Record<string, unknown>>;

/** One request that the service expects, and how it responds. */
export interface Exchange {
  /** `POST https://api.example.com/things?a=b`; the query must match as it is. */
  readonly asks: string;
  /** The body: JSON or form fields as a value, anything else as text. None when absent. */
  readonly sends?: unknown;
  /** Headers that must be present; undefined marks a header that must be absent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly status?: number;
  readonly replies?: unknown;
  readonly replyHeaders?: Readonly<Record<string, string>>;
}

/** A call of a family: the example of the type runs against the exchanges. */
export interface Case {
  readonly type: string;
  /** The difference from the example, for the test name. */
  readonly when?: string;
  /** Replaces properties of the example. */
  readonly with?: Data;
  readonly files?: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
  readonly gives?: Data;
  readonly stores?: Readonly<Record<string, string>>;
  readonly metrics?: Readonly<Record<string, number>>;
  /** The expected error message. */
  readonly fails?: string;
}

export interface Received {
  readonly asks: string;
  readonly sends?: unknown;
  /** The body as it arrived. */
  readonly raw: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

let handle: (received: Received) => Exchange | undefined = () => undefined;
let address = '';

/** One server for all cases of a file. */
export function startServices(): void {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString('utf8');
    const origin = String(request.headers['x-test-origin']);
    const sends = readBody(text, request.headers['content-type'] ?? '');
    const exchange = handle({
      asks: `${request.method} ${origin}${request.url}`,
      ...(sends !== undefined && { sends }),
      raw: text,
      headers: request.headers,
    });
    const { status = exchange ? 200 : 500, replies = '', replyHeaders = {} } = exchange ?? {};
    const isText = typeof replies === 'string';
    response.writeHead(status, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...replyHeaders,
    });
    response.end(isText ? replies : JSON.stringify(replies));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // `as`: a server that listens on a port has such an address.
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
}

function readBody(text: string, type: string): unknown {
  if (text === '') return undefined;
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  if (type.includes('json')) return JSON.parse(text);
  return text;
}

/** A context whose requests to any host arrive at the server of the test. */
export function aServiceContext(): TestContext {
  const client = createOutboundClient({});
  onTestFinished(() => client.close());
  return aTaskContext({
    actions: { hasExecution: async () => true },
    fetch: (request) => {
      const { origin } = new URL(request.url);
      return client.send({
        ...request,
        url: request.url.replace(origin, address),
        headers: { ...request.headers, 'x-test-origin': origin },
      });
    },
  });
}

/** The properties of the example of a type, with secrets as their names. */
export function exampleOf({ examples, kind }: Pick<TaskDefinition, 'examples'> & { kind: string }): Data {
  const flow = parse(examples[0]?.code ?? '');
  const { id: _, type: __, ...properties } = kind === 'trigger' ? flow.triggers[0] : flow.tasks[0];
  const readable = JSON.stringify(properties).replace(/\{\{ secret\('(\w+)'\) \}\}/g, '$1');
  return JSON.parse(readable);
}

/** Expects these requests in this order, and returns the received ones. */
export function expectExchanges(exchanges: readonly Exchange[]): { readonly received: Received[] } {
  const received: Received[] = [];
  handle = (one) => {
    received.push(one);
    return exchanges[received.length - 1];
  };
  return { received };
}

export function checkExchanges(received: readonly Received[], exchanges: readonly Exchange[]): void {
  expect(received.map(({ asks, sends }) => ({ asks, ...(sends !== undefined && { sends }) }))).toEqual(
    exchanges.map(({ asks, sends }) => ({ asks, ...(sends !== undefined && { sends }) })),
  );
  for (const [index, { headers = {} }] of exchanges.entries())
    for (const [name, value] of Object.entries(headers))
      expect(received[index]?.headers[name], name).toBe(value);
}

export interface Suite {
  /** Headers of every request. */
  readonly headers: Exchange['headers'];
  /** The request for a token that precedes every case. */
  readonly login?: Exchange;
  /** Checks each request as the service does, such as its signature. */
  readonly verify?: (received: Received) => void;
  readonly cases: readonly Case[];
}

/** Runs every case, and demands at least one for each task of the family under these prefixes. */
export function testCalls(types: Family['types'], { headers, login, verify, cases }: Suite): void {
  const byType = new Map(types.map((definition) => [definition.type, definition]));
  test('every task is tested', () => {
    const tested = new Set(cases.map(({ type }) => type));
    const tasks = types.filter(({ kind }) => kind === 'task').map(({ type }) => type);
    expect(tasks.filter((type) => !tested.has(type))).toEqual([]);
  });
  describe('a call sends what the service documents', () => {
    test.each(cases.map((each) => [`${each.type}${each.when ? ` ${each.when}` : ''}`, each] as const))(
      '%s',
      async (_, each) => {
        const definition = byType.get(each.type);
        if (definition?.kind !== 'task' || definition.role !== 'task')
          throw new Error(`No task ${each.type}`);
        const own = each.exchanges.map((one) => ({ ...one, headers: { ...headers, ...one.headers } }));
        const exchanges = login ? [login, ...own] : own;
        const { received } = expectExchanges(exchanges);
        const context = aServiceContext();
        const properties = await withFiles({ ...exampleOf(definition), ...each.with }, each.files, context);
        const run = runType(definition, properties, context);
        if (each.fails === undefined) expect(await run).toEqual(await expected(each, run));
        else await expect(run).rejects.toThrow(each.fails);
        checkExchanges(received, exchanges);
        if (verify) for (const one of received) verify(one);
        for (const [name, value] of Object.entries(each.metrics ?? {}))
          expect(context.metrics.filter((one) => one.name === name).map((one) => one.value)).toEqual([value]);
        for (const [name, text] of Object.entries(each.stores ?? {}))
          expect(await storedText(context, String((await run)[name]))).toBe(text);
      },
    );
  });
}

/** Addresses of stored files differ from run to run. */
async function expected({ gives = {}, stores = {} }: Case, run: Promise<Data>): Promise<Data> {
  const outputs = await run;
  return { ...gives, ...Object.fromEntries(Object.keys(stores).map((name) => [name, outputs[name]])) };
}

async function withFiles(properties: Data, files: Case['files'], context: TestContext): Promise<Data> {
  let text = JSON.stringify(properties);
  for (const [name, content] of Object.entries(files ?? {})) {
    const uri = await context.files.put(name, content);
    text = text.replaceAll(`{{ inputs.${name} }}`, uri);
  }
  return JSON.parse(text);
}

async function storedText(context: TestContext, uri: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await context.files.read(uri)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
