import {
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  type FetchedRows,
  type FetchType,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  fixed,
  flag,
  integer,
  mapOf,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, isMap } from '../base/callService.ts';
import { taskExample, triggerExample } from '../base/example.ts';

const properties = {
  host: text().describe('The host of the server.'),
  port: integer({ min: 1, max: 65_535 }).default(8000).describe('Its port.'),
  useTls: flag().default(false).describe('Connect with TLS.'),
  username: text().optional().describe('The user.'),
  password: text().optional().describe('The password.'),
  namespace: text().describe('The namespace of SurrealDB.'),
  database: text().describe('The database.'),
  connectionTimeout: integer({ min: 1 }).default(60).describe('How many seconds to wait for the connection.'),
  query: text().describe('The statements in SurrealQL. Parameters are written `$name`.'),
  parameters: mapOf(text()).default({}).describe('The values of the parameters, as texts.'),
  fetchType: fetchTypeProperty('STORE'),
};

interface Input {
  readonly host: string;
  readonly port: number;
  readonly useTls: boolean;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly namespace: string;
  readonly database: string;
  readonly connectionTimeout: number;
  readonly query: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly fetchType: FetchType;
}

async function runQuery(context: TaskContext, input: Input): Promise<FetchedRows> {
  const { username, password, namespace, database } = input;
  if (password) context.masker.add(password);
  const login = Buffer.from(`${username}:${password ?? ''}`).toString('base64');
  const { body } = await callJson(context, {
    method: 'POST',
    url: `${input.useTls ? 'https' : 'http'}://${input.host}:${input.port}`,
    path: 'sql',
    parameters: input.parameters,
    // The names of the headers changed with version 2.
    headers: {
      'content-type': 'text/plain',
      'surreal-ns': namespace,
      'surreal-db': database,
      ns: namespace,
      db: database,
      ...(username !== undefined && { authorization: `Basic ${login}` }),
    },
    body: input.query,
    connectTimeoutMs: input.connectionTimeout * 1000,
  });
  const statements = Array.isArray(body) ? body.filter(isMap) : [];
  const failed = statements.findIndex(({ status }) => status !== 'OK');
  if (failed >= 0)
    throw new TaskFailed(`Statement ${failed + 1} failed: ${JSON.stringify(statements[failed]?.result)}`, {
      retry: false,
    });
  return fetchRows(context, input.fetchType, rowsOf(statements.at(-1)?.result));
}

/** A statement may return records, one record, or a plain value. */
function rowsOf(result: unknown): Record<string, unknown>[] {
  const list = Array.isArray(result) ? result : result === null || result === undefined ? [] : [result];
  return list.map((each) => (isMap(each) ? each : { value: each }));
}

const exampleLines = [
  'host: surrealdb.example.com',
  'username: alice',
  `password: "{{ secret('SURREALDB_PASSWORD') }}"`,
  'namespace: shop',
  'database: sales',
];

const query = defineTask({
  type: 'surrealdb.Query',
  title: 'Query SurrealDB',
  description:
    'Runs statements and returns the result of the last one. A plain value becomes a row with the column `value`. If one statement fails, the task fails.',
  input: () => z.object(properties),
  output: () => z.object(fetchedOutput),
  sideEffects: true,
  examples: [
    taskExample('surrealdb.Query', 'Find orders of a customer.', [
      ...exampleLines,
      'query: SELECT * FROM order WHERE customer = $customer',
      'parameters:',
      '  customer: Ada',
      'fetchType: FETCH',
    ]),
  ],
  run: runQuery,
});

const trigger = defineTrigger({
  type: 'surrealdb.Trigger',
  role: 'polling',
  title: 'Start when SurrealDB has rows',
  description:
    'Runs statements every `interval` and starts an execution if the last one returns rows. Change or delete the rows in the flow, otherwise they are found again.',
  input: () =>
    z.object({
      ...properties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: () => z.object(fetchedOutput),
  examples: [
    triggerExample('surrealdb.Trigger', 'Process new orders.', [
      ...exampleLines,
      "query: SELECT * FROM order WHERE state = 'new'",
      'fetchType: FETCH',
    ]),
  ],
  async poll(context, input) {
    const found = await runQuery(context, input);
    return found.size === 0 ? undefined : { ...found };
  },
});

export const surrealdbTypes: readonly Definition[] = [query, trigger];
