import {
  anything,
  choice,
  collect,
  type Definition,
  defineTask,
  dropMissing,
  listOf,
  mapOf,
  part,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { parseResponse } from '../client/http.ts';
import { Cosmos, cosmosProperties, responseFacts } from './cosmosApi.ts';

const where = ['databaseId: shop', 'containerId: orders'];
const item = () => mapOf(anything());

const factsOutput = {
  statusCode: z.number().describe('The HTTP status of the response.'),
  requestCharge: z.number().describe('The request units that the call cost.'),
  duration: z.string().describe('How long the call took, as ISO 8601.'),
  responseHeaders: z.record(z.string(), z.string()).describe('The headers of the response.'),
  activityId: z.string().optional().describe('The id of the call, for the support of Azure.'),
  sessionToken: z.string().optional().describe('The session token.'),
  diagnostics: z.unknown().optional().describe('Always absent: the REST API has no diagnostics.'),
};

const itemOutput = (words: string) =>
  z.object({
    item: z.record(z.string(), z.unknown()).optional().describe(words),
    ...factsOutput,
    maxResourceQuota: z.string().optional().describe('The quotas of the account.'),
    currentResourceQuotaUsage: z.string().optional().describe('How much of the quotas is used.'),
    eTag: z.string().optional().describe('The entity tag of the item.'),
  });

const createItem = defineTask({
  type: 'azure.storage.cosmosdb.CreateItem',
  title: 'Create an item in Cosmos DB',
  description: 'Stores a new item in a container. An item whose `id` exists in its partition fails the task.',
  input: () =>
    z.object({ ...cosmosProperties, item: item().describe('The item, with `id` and its partition key.') }),
  output: () => itemOutput('The stored item; absent when `contentResponseOnWriteEnabled` is false.'),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.cosmosdb.CreateItem', 'Store an order.', [
      ...where,
      'item:',
      '  id: "{{ execution.id }}"',
      '  country: DE',
      '  total: 42',
    ]),
  ],
  run: (context, { item: sent, ...input }) => new Cosmos(context, input).create(sent),
});

const remove = defineTask({
  type: 'azure.storage.cosmosdb.Delete',
  title: 'Delete an item from Cosmos DB',
  description:
    'Deletes the item with this `id` and partition key. An item that does not exist fails the task.',
  input: () =>
    z.object({
      ...cosmosProperties,
      item: item().describe('A map with the `id` of the item and its partition key.'),
    }),
  output: () => itemOutput('Always absent: the service returns no content.'),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.cosmosdb.Delete', 'Delete an order.', [
      ...where,
      'item:',
      '  id: "17"',
      '  country: DE',
    ]),
  ],
  run: (context, { item: sent, ...input }) => new Cosmos(context, input).delete(sent),
});

const Result = z.looseObject({
  statusCode: z.number(),
  subStatusCode: z.number().nullish(),
  message: z.string().nullish(),
});

const batch = defineTask({
  type: 'azure.storage.cosmosdb.Batch',
  title: 'Create items in Cosmos DB together',
  description:
    'Creates items of one partition in one transaction: all of them, or none. The task fails when one of them cannot be created; its outputs say which one.',
  input: () =>
    z.object({
      ...cosmosProperties,
      partitionKeyValue: text().describe('The partition key of all items.'),
      items: listOf(item(), { min: 1 }).describe('The items, 100 at most.'),
    }),
  output: () =>
    z.object({
      ...factsOutput,
      results: z.array(z.record(z.string(), z.unknown())).describe('The result of each item.'),
      successStatusCode: z.boolean().describe('Whether all items were created.'),
      subStatusCode: z.number().describe('The sub status of the service; 0 when there is none.'),
      errorMessage: z.string().optional().describe('The error of the service.'),
      retryAfterDuration: z.string().optional().describe('How long to wait before another try.'),
      responseLength: z.number().describe('The length of the response in bytes.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.cosmosdb.Batch', 'Store two orders.', [
      ...where,
      'partitionKeyValue: DE',
      'items:',
      '  - id: "1"',
      '    country: DE',
      '  - id: "2"',
      '    country: DE',
    ]),
  ],
  async run(context, { partitionKeyValue, items, ...input }) {
    const { response, body, durationMs } = await new Cosmos(context, input).batch(items, partitionKeyValue);
    const results = parseResponse(body, z.array(Result), response.url);
    // The others have the status 424, because the transaction failed.
    const at = results.findIndex(({ statusCode }) => statusCode >= 300 && statusCode !== 424);
    const failed = results[at];
    const outputs = {
      ...responseFacts(response, durationMs),
      ...(failed && { statusCode: failed.statusCode }),
      results: results.map((each) => ({ ...each })),
      successStatusCode: failed === undefined,
      subStatusCode: failed?.subStatusCode ?? 0,
      responseLength: Buffer.byteLength(body),
      ...dropMissing({ errorMessage: failed?.message }),
    };
    if (failed)
      throw new TaskFailed(
        `Cosmos DB created none of the ${items.length} items: item ${at + 1} (${JSON.stringify(items[at]?.id)}) got status ${failed.statusCode}${failed.statusCode === 409 ? ', because its id exists' : ''}.`,
        { retry: failed.statusCode === 429 || failed.statusCode >= 500, outputs },
      );
    return outputs;
  },
});

const queryProperties = {
  query: text().describe('The query, such as `SELECT * FROM c WHERE c.total > 10`.'),
  partitionKey: item()
    .optional()
    .describe('Search only the partition with these values, by the name of the property.'),
  partitionKeyDefinition: part({
    paths: listOf(text(), { min: 1 }).describe('The paths, such as `/country`.'),
    kind: choice(['HASH', 'RANGE', 'MULTI_HASH']).describe('The kind.'),
    version: text().describe('The version, such as `V2`.'),
  })
    .optional()
    .describe('The paths to read from `partitionKey`; those of the container when absent.'),
  feedRangePartitionKey: item()
    .optional()
    .describe('The same as `partitionKey`, which has precedence: the range of one partition key.'),
  excludeRegions: listOf(text())
    .optional()
    .describe('Accepted for compatibility: the account chooses the region.'),
};

const Options = z.object(queryProperties);

async function runQuery(cosmos: Cosmos, options: z.infer<typeof Options>) {
  const given = options.partitionKey ?? options.feedRangePartitionKey;
  const key = given && (await cosmos.keyOf(given, options.partitionKeyDefinition?.paths));
  return collect(cosmos.query(options.query, key));
}

const query = defineTask({
  type: 'azure.storage.cosmosdb.Query',
  title: 'Query items of Cosmos DB',
  description:
    'Runs a query in SQL. Without `partitionKey` all partitions are searched; the REST API then supports filters and projections, but no `ORDER BY`, `GROUP BY` or aggregates.',
  input: () => z.object({ ...cosmosProperties, ...queryProperties }),
  output: () =>
    z.object({ queryResults: z.array(z.record(z.string(), z.unknown())).describe('The results.') }),
  metrics: [{ name: 'records.count', type: 'counter', description: 'The number of results.' }],
  sideEffects: true,
  examples: [
    taskExample('azure.storage.cosmosdb.Query', 'Find large orders.', [
      ...where,
      'query: SELECT * FROM c WHERE c.total > 10',
    ]),
  ],
  async run(context, input) {
    const queryResults = await runQuery(new Cosmos(context, input), input);
    context.metric({ name: 'records.count', type: 'counter', value: queryResults.length });
    return { queryResults };
  },
});

const queries = defineTask({
  type: 'azure.storage.cosmosdb.Queries',
  title: 'Run several queries in Cosmos DB',
  description: 'Runs queries one after the other; the results have the names of the queries.',
  input: () =>
    z.object({ ...cosmosProperties, queries: mapOf(part(queryProperties)).describe('The queries by name.') }),
  output: () =>
    z.object({
      results: z
        .record(z.string(), z.array(z.record(z.string(), z.unknown())))
        .describe('The results by the name of the query.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.cosmosdb.Queries', 'Run two queries.', [
      ...where,
      'queries:',
      '  large:',
      '    query: SELECT * FROM c WHERE c.total > 10',
      '  german:',
      '    query: SELECT * FROM c',
      '    partitionKey:',
      '      country: DE',
    ]),
  ],
  async run(context, { queries: wanted, ...input }) {
    const cosmos = new Cosmos(context, input);
    const results: Record<string, Record<string, unknown>[]> = {};
    for (const [name, options] of Object.entries(wanted)) results[name] = await runQuery(cosmos, options);
    return { results };
  },
});

export const cosmosTypes: readonly Definition[] = [createItem, remove, batch, query, queries];
