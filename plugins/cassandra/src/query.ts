import {
  type Definition,
  defineTask,
  defineTrigger,
  deprecated,
  duration,
  type FetchType,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  fixed,
  flag,
  type TaskContext,
  text,
} from '@millrace/plugin-kit';
import type * as Cassandra from 'cassandra-driver';
import { z } from 'zod';
import { type Cluster, withClient } from './client.ts';
import { astraCluster, astraSession, standardCluster, standardSession } from './sessions.ts';
import { type ReadValue, valueReader } from './values.ts';

const statementProperties = () => ({
  cql: text().describe('The CQL statement.'),
  fetchType: fetchTypeProperty('NONE'),
  fetch: deprecated(flag(), 'use `fetchType: FETCH`.').default(false),
  store: deprecated(flag(), 'use `fetchType: STORE`.').default(false),
  fetchOne: deprecated(flag(), 'use `fetchType: FETCH_ONE`.').default(false),
});

const output = () =>
  z.object({
    ...fetchedOutput,
    bytes: z.number().describe('How many bytes the cluster has sent for the result.'),
  });

interface StatementInput {
  readonly cql: string;
  readonly fetchType: FetchType;
  readonly fetch: boolean;
  readonly store: boolean;
  readonly fetchOne: boolean;
  readonly timeZoneId?: string | undefined;
}

/** The deprecated switches win over `fetchType`. */
function fetchTypeOf({ fetchType, store, fetchOne, fetch }: StatementInput): FetchType {
  if (fetchOne) return 'FETCH_ONE';
  if (store) return 'STORE';
  return fetch ? 'FETCH' : fetchType;
}

const runStatement = (context: TaskContext, cluster: Cluster, input: StatementInput) =>
  withClient(context, cluster, async ({ client, cassandra, receivedBytes }) => {
    const read = valueReader(cassandra, input.timeZoneId);
    const before = receivedBytes();
    const result = await client.execute(input.cql);
    const fetched = await fetchRows(context, fetchTypeOf(input), rowsOf(result, read));
    return { ...fetched, bytes: receivedBytes() - before };
  });

/** Pages are asked for when their rows are used. */
async function* rowsOf(
  result: Cassandra.types.ResultSet,
  read: ReadValue,
): AsyncGenerator<Record<string, unknown>> {
  const columns = result.columns ?? [];
  // A statement that changes rows has no result that could be iterated.
  if (columns.length === 0) return;
  for await (const row of result)
    yield Object.fromEntries(columns.map(({ name, type }) => [name, read(row.get(name), type.code)]));
}

interface Kind {
  readonly name: 'standard' | 'astradb';
  readonly title: string;
  /** The group of the older names. */
  readonly olderName: string;
  readonly session: string;
}

const standardKind: Kind = {
  name: 'standard',
  title: 'Cassandra',
  olderName: 'cassandra',
  session: `      endpoints:
        - hostname: cassandra.example.com
      localDatacenter: datacenter1
      username: ada
      password: "{{ secret('CASSANDRA_PASSWORD') }}"`,
};

const astraKind: Kind = {
  name: 'astradb',
  title: 'Astra DB',
  olderName: 'astradb',
  session: `      secureBundle: "{{ secret('ASTRA_BUNDLE') }}"
      keyspace: shop
      clientId: token
      clientSecret: "{{ secret('ASTRA_TOKEN') }}"`,
};

const metrics = [{ name: 'fetch.size', type: 'counter', description: 'How many rows were read.' }] as const;

const countRows = (context: TaskContext, size: number) =>
  context.metric({ name: 'fetch.size', type: 'counter', value: size });

/** Texts that a task has besides its properties. */
const queryTexts = ({ name, title, olderName, session }: Kind) => ({
  type: `cassandra.${name}.Query`,
  aliases: [`io.kestra.plugin.${olderName}.Query`],
  title: `Run a statement on ${title}`,
  description: `Runs one CQL statement on ${title} and keeps its rows as \`fetchType\` says. Ids, addresses and durations become texts, lists, sets and tuples lists, and maps and user-defined types maps.`,
  examples: [
    {
      title: 'Read orders into a file.',
      runs: false,
      code: `id: ${olderName}_query
namespace: company.team

tasks:
  - id: orders
    type: cassandra.${name}.Query
    session:
${session}
    cql: SELECT * FROM shop.orders
    fetchType: STORE
`,
    },
  ],
});

const triggerTexts = ({ name, title, olderName, session }: Kind) => ({
  type: `cassandra.${name}.Trigger`,
  aliases: [`io.kestra.plugin.${olderName}.Trigger`],
  title: `Start an execution when a ${title} query returns rows`,
  description:
    'Runs a CQL statement every `interval` and starts an execution when it returns rows. Nothing is remembered between polls, so the flow must change or delete the rows that were seen.',
  examples: [
    {
      title: 'Process new orders.',
      runs: false,
      code: `id: ${olderName}_orders
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.size }} orders"

triggers:
  - id: watch
    type: cassandra.${name}.Trigger
    interval: PT5M
    session:
${session}
    cql: SELECT * FROM shop.new_orders
    fetchType: FETCH
`,
    },
  ],
});

const triggerProperties = () => ({
  ...statementProperties(),
  timeZoneId: text()
    .optional()
    .describe('The time zone of timestamps in the rows, such as `Europe/Paris`; UTC when absent.'),
  interval: fixed(duration()).prefault('PT60S').describe('The pause between two polls.'),
});

const standardQuery = defineTask({
  ...queryTexts(standardKind),
  input: () =>
    z.object({ session: standardSession().describe('How to reach the cluster.'), ...statementProperties() }),
  output,
  metrics,
  sideEffects: true,
  run: async (context, { session, ...input }) => {
    const result = await runStatement(context, standardCluster(session, context), input);
    countRows(context, result.size);
    return result;
  },
});

const standardTrigger = defineTrigger({
  ...triggerTexts(standardKind),
  role: 'polling',
  input: () =>
    z.object({ session: standardSession().describe('How to reach the cluster.'), ...triggerProperties() }),
  output,
  poll: (context, { session, ...input }) => pollStatement(context, standardCluster(session, context), input),
});

const astraQuery = defineTask({
  ...queryTexts(astraKind),
  input: () =>
    z.object({ session: astraSession().describe('How to reach the database.'), ...statementProperties() }),
  output,
  metrics,
  sideEffects: true,
  run: async (context, { session, ...input }) => {
    const result = await runStatement(context, await astraCluster(session, context), input);
    countRows(context, result.size);
    return result;
  },
});

const astraTrigger = defineTrigger({
  ...triggerTexts(astraKind),
  role: 'polling',
  input: () =>
    z.object({ session: astraSession().describe('How to reach the database.'), ...triggerProperties() }),
  output,
  poll: async (context, { session, ...input }) =>
    pollStatement(context, await astraCluster(session, context), input),
});

/** Rows start an execution; a poll without rows deletes its stored file. */
async function pollStatement(context: TaskContext, cluster: Cluster, input: StatementInput) {
  const found = await runStatement(context, cluster, input);
  if (found.size > 0) return found;
  if (found.uri !== undefined) await context.files.delete(found.uri);
  return undefined;
}

export const cassandraTypes: readonly Definition[] = [
  standardQuery,
  standardTrigger,
  astraQuery,
  astraTrigger,
];
