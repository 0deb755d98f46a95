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
  listOf,
  mapOf,
  readJsonValues,
  type TaskContext,
  TaskFailed,
  text,
  toJsonValue,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callService, isMap } from '../base/callService.ts';
import { taskExample, triggerExample } from '../base/example.ts';

const properties = {
  connectionString: text().describe(
    'The cluster, such as `couchbase://db.example.com` or `couchbases://db.example.com` for TLS. A port after the host is that of the query service.',
  ),
  username: text().describe('The user.'),
  password: text().describe('The password.'),
  query: text().describe('The statement in SQL++ (N1QL).'),
  parameters: z
    .union([mapOf(z.unknown()), listOf(z.unknown())])
    .optional()
    .describe('The values of `$name` as a map, or of `$1`, `$2` as a list.'),
  fetchType: fetchTypeProperty('STORE'),
};

interface Input {
  readonly connectionString: string;
  readonly username: string;
  readonly password: string;
  readonly query: string;
  readonly parameters?: readonly unknown[] | Readonly<Record<string, unknown>> | undefined;
  readonly fetchType: FetchType;
}

/** The query service of the first host: port 8093, or 18093 with TLS. */
function queryService(connectionString: string): string {
  const match = /^(couchbases?|https?):\/\/([^,/?]+)/i.exec(connectionString.trim());
  if (!match)
    throw new TaskFailed(
      `"${connectionString}" is not a connection string; write for example "couchbase://db.example.com".`,
      { retry: false },
    );
  const [, scheme = '', host = ''] = match;
  const isSecure = /^(couchbases|https)$/i.test(scheme);
  const hasPort = /:\d+$/.test(host);
  return `${isSecure ? 'https' : 'http'}://${host}${hasPort ? '' : isSecure ? ':18093' : ':8093'}`;
}

async function runQuery(context: TaskContext, input: Input): Promise<FetchedRows> {
  context.masker.add(input.password);
  const login = Buffer.from(`${input.username}:${input.password}`).toString('base64');
  const { content } = await callService(context, {
    method: 'POST',
    url: queryService(input.connectionString),
    path: 'query/service',
    headers: { authorization: `Basic ${login}` },
    body: { statement: input.query, ...argumentsOf(input.parameters) },
    // The service reports a wrong statement with one of these and its reason in `errors`.
    allow: [400, 404, 409, 500, 503],
  });
  return fetchRows(context, input.fetchType, rowsOf(content));
}

function argumentsOf(parameters: Input['parameters']): object {
  if (Array.isArray(parameters)) return { args: parameters };
  return Object.fromEntries(
    Object.entries(parameters ?? {}).map(([name, value]) => [
      name.startsWith('$') ? name : `$${name}`,
      value,
    ]),
  );
}

/** Streams the rows of a response; errors follow the rows. */
async function* rowsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, unknown>> {
  const isWanted = (path: readonly unknown[]) =>
    path.length === 2 && (path[0] === 'results' || path[0] === 'errors');
  for await (const { path, value } of readJsonValues(content, isWanted)) {
    if (path[0] === 'results') yield isMap(value) ? value : { value };
    else throw refused(value);
  }
}

function refused(error: unknown): TaskFailed {
  const { code, msg, retry } = isMap(error) ? error : {};
  const plain = toJsonValue(code);
  return new TaskFailed(`Couchbase refused the query: ${msg ?? 'no reason given'} (code ${plain})`, {
    retry: retry === true,
  });
}

const exampleLines = [
  'connectionString: couchbase://db.example.com',
  'username: alice',
  `password: "{{ secret('COUCHBASE_PASSWORD') }}"`,
];

const query = defineTask({
  type: 'couchbase.Query',
  title: 'Query Couchbase',
  description:
    'Runs a statement of SQL++ through the query service of the cluster. Rows are stored while they arrive. A plain value becomes a row with the column `value`.',
  input: () => z.object(properties),
  output: () => z.object(fetchedOutput),
  sideEffects: true,
  examples: [
    taskExample('couchbase.Query', 'Find orders of a customer.', [
      ...exampleLines,
      'query: SELECT o.* FROM orders o WHERE o.customer = $customer',
      'parameters:',
      '  customer: Ada',
      'fetchType: FETCH',
    ]),
  ],
  run: runQuery,
});

const trigger = defineTrigger({
  type: 'couchbase.Trigger',
  role: 'polling',
  title: 'Start when Couchbase has rows',
  description:
    'Runs a statement every `interval` and starts an execution if it returns rows. Change or delete the documents in the flow, otherwise they are found again.',
  input: () =>
    z.object({
      ...properties,
      interval: fixed(duration()).prefault('PT60S').describe('The pause between two polls.'),
    }),
  output: () => z.object(fetchedOutput),
  examples: [
    triggerExample('couchbase.Trigger', 'Process new orders.', [
      ...exampleLines,
      "query: SELECT o.* FROM orders o WHERE o.state = 'new'",
      'fetchType: FETCH',
    ]),
  ],
  async poll(context, input) {
    const found = await runQuery(context, input);
    return found.size === 0 ? undefined : { ...found };
  },
});

export const couchbaseTypes: readonly Definition[] = [query, trigger];
