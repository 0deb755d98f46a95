import {
  anything,
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  flag,
  integer,
  listOf,
  mapOf,
  type TaskContext,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { connectionProperties, type Place, withCollection } from './client.ts';
import { keepDocuments, readDocument, rowsOutput } from './documents.ts';
import { mongoExample } from './example.ts';

const findProperties = {
  ...connectionProperties,
  filter: anything().optional().describe('Which documents, as a map or as extended JSON; all when absent.'),
  projection: anything().optional().describe('Which fields.'),
  sort: anything().optional().describe('The order, such as `{ date: -1 }`.'),
  limit: integer({ min: 0 }).optional().describe('The most documents.'),
  skip: integer({ min: 0 }).optional().describe('How many documents are passed over.'),
  store: flag().default(false).describe('Store the documents in a file instead of the output `rows`.'),
};

interface FindInput extends Place {
  readonly filter?: unknown;
  readonly projection?: unknown;
  readonly sort?: unknown;
  readonly limit?: number | undefined;
  readonly skip?: number | undefined;
  readonly store: boolean;
}

const runFind = (context: TaskContext, input: FindInput) =>
  withCollection(context, input, (collection, mongo) => {
    const { limit, skip } = input;
    const cursor = collection.find(readDocument(mongo, input.filter, 'filter'), {
      ...(input.projection !== undefined && {
        projection: readDocument(mongo, input.projection, 'projection'),
      }),
      ...(input.sort !== undefined && { sort: readDocument(mongo, input.sort, 'sort') }),
      ...(limit !== undefined && { limit }),
      ...(skip !== undefined && { skip }),
    });
    return keepDocuments(context, cursor, input.store ? 'STORE' : 'FETCH');
  });

const records = [{ name: 'records', type: 'counter', description: 'How many documents were read.' }] as const;

const find = defineTask({
  type: 'mongodb.Find',
  title: 'Find documents in MongoDB',
  description: 'Returns documents of a collection. Ids become text and dates ISO dates.',
  input: () => z.object(findProperties),
  output: rowsOutput,
  metrics: records,
  sideEffects: true,
  examples: [
    mongoExample('Find', 'Find orders.', ['filter:', '  customer: Ada', 'sort:', '  date: -1', 'limit: 10']),
  ],
  run: runFind,
});

const aggregate = defineTask({
  type: 'mongodb.Aggregate',
  title: 'Aggregate documents in MongoDB',
  description: 'Runs an aggregation pipeline and returns its documents.',
  input: () =>
    z.object({
      ...connectionProperties,
      pipeline: listOf(mapOf(anything())).describe('The stages.'),
      allowDiskUse: flag().default(true).describe('Let the server use its disk for large stages.'),
      maxTimeMs: integer({ min: 0 })
        .default(60_000)
        .describe('How long the server may take, in milliseconds.'),
      batchSize: integer({ min: 1 }).default(1000).describe('How many documents are fetched at once.'),
      store: choice(['STORE', 'FETCH', 'FETCH_ONE', 'NONE'])
        .default('FETCH')
        .describe(
          'Where the documents go: to a file, to the output `rows`, only the first of them, or nowhere.',
        ),
    }),
  output: rowsOutput,
  metrics: records,
  sideEffects: true,
  examples: [
    mongoExample('Aggregate', 'Count orders by customer.', [
      'pipeline:',
      '  - $group:',
      '      _id: $customer',
      '      count:',
      '        $sum: 1',
    ]),
  ],
  run: (context, { pipeline, allowDiskUse, maxTimeMs, batchSize, store, ...place }) =>
    withCollection(context, place, (collection, mongo) => {
      const stages = pipeline.map((stage) => readDocument(mongo, stage, 'pipeline'));
      const cursor = collection.aggregate(stages, { allowDiskUse, maxTimeMS: maxTimeMs, batchSize });
      return keepDocuments(context, cursor, store);
    }),
});

const trigger = defineTrigger({
  type: 'mongodb.Trigger',
  role: 'polling',
  title: 'Start when MongoDB has documents',
  description:
    'Runs a search every `interval` and starts an execution when it finds documents. Change or delete them in the flow, otherwise they are found again.',
  input: () =>
    z.object({
      ...findProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: rowsOutput,
  examples: [
    {
      title: 'Process new orders.',
      runs: false,
      code: `id: mongodb_orders
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.size }} orders"

triggers:
  - id: watch
    type: mongodb.Trigger
    connection:
      uri: "mongodb://alice:{{ secret('MONGODB_PASSWORD') }}@mongodb.example.com:27017"
    database: shop
    collection: orders
    filter:
      state: new
`,
    },
  ],
  async poll(context, input) {
    const found = await runFind(context, input);
    return found.size === 0 ? undefined : found;
  },
});

export const findTypes: readonly Definition[] = [find, aggregate, trigger];
