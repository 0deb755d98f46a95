import {
  choice,
  type Definition,
  defineTask,
  type FetchType,
  fetchedOutput,
  fetchRows,
  integer,
  readTypedRows,
  storageUri,
  text,
} from '@millrace/plugin-kit';
import type * as Neo4j from 'neo4j-driver-lite';
import { z } from 'zod';
import { connectionProperties, withSession } from './client.ts';
import { toFlowValue, toParameter } from './values.ts';

const query = defineTask({
  type: 'neo4j.Query',
  title: 'Run a Cypher query on Neo4j',
  description:
    'Runs one Cypher query in its own transaction and keeps its records as `storeType` says. Nodes and relationships become maps with `elementId`, `labels` or `type`, and `properties`. A `USE` clause selects another database than the default.',
  input: () =>
    z.object({
      ...connectionProperties(),
      query: text().describe('The Cypher query.'),
      storeType: choice(['STORE', 'FETCH', 'FETCHONE', 'NONE'])
        .default('NONE')
        .describe(
          'Where the records go: to a file in internal storage (`STORE`), to the output `rows` (`FETCH`), only the first of them to the output `row` (`FETCHONE`), or nowhere (`NONE`).',
        ),
    }),
  output: () =>
    z.object({
      ...fetchedOutput,
      size: z.number().optional().describe('How many records were kept; absent with `NONE`.'),
    }),
  metrics: [
    { name: 'store.size', type: 'counter', description: 'How many records were stored in a file.' },
    { name: 'fetch.size', type: 'counter', description: 'How many records were fetched.' },
  ],
  sideEffects: true,
  examples: [
    {
      title: 'Find the friends of a person.',
      runs: false,
      code: `id: neo4j_query
namespace: company.team

tasks:
  - id: friends
    type: neo4j.Query
    url: neo4j://neo4j.example.com:7687
    username: neo4j
    password: "{{ secret('NEO4J_PASSWORD') }}"
    query: |
      MATCH (:Person {name: "Ada"})-[:KNOWS]->(friend:Person)
      RETURN friend.name AS name, friend.born AS born
    storeType: FETCH
`,
    },
  ],
  run: (context, { query: cypher, storeType, ...connection }) =>
    withSession(context, connection, async ({ session, neo4j }) => {
      const result = session.run(cypher);
      if (storeType === 'NONE') {
        await result.summary();
        return {};
      }
      const fetchType: FetchType = storeType === 'FETCHONE' ? 'FETCH_ONE' : storeType;
      const fetched = await fetchRows(context, fetchType, rowsOf(neo4j, result));
      context.metric({
        name: storeType === 'STORE' ? 'store.size' : 'fetch.size',
        type: 'counter',
        value: fetched.size,
      });
      return { ...fetched };
    }),
});

/** The server sends the next records when these are used; the query has ended when its summary arrives. */
async function* rowsOf(neo4j: typeof Neo4j, result: Neo4j.Result): AsyncGenerator<Record<string, unknown>> {
  const records = result[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await records.next();
      if (next.done) return;
      const { keys } = next.value;
      yield Object.fromEntries(keys.map((key) => [String(key), toFlowValue(neo4j, next.value.get(key))]));
    }
  } finally {
    await records.return?.(undefined as never);
  }
}

const batch = defineTask({
  type: 'neo4j.Batch',
  title: 'Write the rows of a file to Neo4j',
  description:
    'Reads a file of rows and runs a Cypher query for each chunk of them, all in one transaction. The rows of a chunk are the parameter `props`: begin the query with `UNWIND $props AS row`.',
  input: () =>
    z.object({
      ...connectionProperties(),
      from: storageUri().describe('The file of rows in internal storage.'),
      query: text().describe(
        'The Cypher query, such as `UNWIND $props AS row CREATE (:Person {name: row.name})`.',
      ),
      chunk: integer({ min: 1 }).default(1000).describe('How many rows are sent at once.'),
    }),
  output: () =>
    z.object({
      rowCount: z.number().describe('How many rows were read.'),
      updatedCount: z
        .number()
        .describe('How many nodes, relationships, labels and properties were created, changed or deleted.'),
    }),
  metrics: [
    { name: 'records.processed', type: 'counter', description: 'How many rows were read.' },
    { name: 'records.updated', type: 'counter', description: 'How many changes the database has counted.' },
  ],
  sideEffects: true,
  examples: [
    {
      title: 'Create a node for each row of a file.',
      runs: false,
      code: `id: neo4j_batch
namespace: company.team

inputs:
  - id: people
    type: FILE

tasks:
  - id: load
    type: neo4j.Batch
    url: neo4j://neo4j.example.com:7687
    username: neo4j
    password: "{{ secret('NEO4J_PASSWORD') }}"
    from: "{{ inputs.people }}"
    query: |
      UNWIND $props AS row
      MERGE (person:Person {id: row.id})
      SET person.name = row.name
`,
    },
  ],
  run: (context, { from, query: cypher, chunk, ...connection }) =>
    withSession(context, connection, async ({ session, neo4j }) => {
      const counts = { rowCount: 0, updatedCount: 0 };
      const transaction = await session.beginTransaction();
      const send = async (props: readonly unknown[]) => {
        const { summary } = await transaction.run(cypher, { props });
        counts.rowCount += props.length;
        for (const count of Object.values(summary.counters.updates())) counts.updatedCount += count;
      };
      let props: unknown[] = [];
      for await (const row of readTypedRows(context, from)) {
        props.push(toParameter(neo4j, row));
        if (props.length < chunk) continue;
        await send(props);
        props = [];
      }
      if (props.length > 0) await send(props);
      await transaction.commit();
      context.metric({ name: 'records.processed', type: 'counter', value: counts.rowCount });
      context.metric({ name: 'records.updated', type: 'counter', value: counts.updatedCount });
      return counts;
    }),
});

export const queryTypes: readonly Definition[] = [query, batch];
