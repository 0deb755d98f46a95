import {
  anything,
  type Definition,
  defineTask,
  dropMissing,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  integer,
  mapOf,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import type { AwsClient } from '../client/awsClient.ts';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';
import { Attributes, fromAttributes, toAttributes } from './attributes.ts';

const tableProperties = { ...taskConnection, tableName: text().describe('The name of the table.') };
const metrics = [{ name: 'records', type: 'counter', description: 'How many items it was about.' }] as const;
const keyProperty = () => mapOf(anything()).describe('The attributes of the key.');
const none = () => z.object({});
const Nothing = z.looseObject({});

const count = (context: TaskContext, value: number) =>
  context.metric({ name: 'records', type: 'counter', value });

const values = `Texts, numbers, booleans, nulls, maps and lists keep their types; a list of different texts is a string set. Put a number in quotes to store it as text.`;

const putItem = defineTask({
  type: 'aws.dynamodb.PutItem',
  title: 'Put an item into a DynamoDB table',
  description: `Stores an item, and replaces the one with the same key. ${values}`,
  input: () =>
    z.object({ ...tableProperties, item: someValue().describe('The item: a map, or the JSON of one.') }),
  output: none,
  metrics,
  sideEffects: true,
  examples: [
    taskExample('aws.dynamodb.PutItem', 'Store an item.', [
      'tableName: persons',
      'item:',
      '  id: "1"',
      '  firstname: Ada',
      '  lastname: Lovelace',
    ]),
  ],
  async run(context, { tableName, item, ...connection }) {
    const client = await openClient(context, connection, 'dynamodb');
    await client.json('PutItem', { TableName: tableName, Item: toAttributes(toMap(item)) }, Nothing);
    count(context, 1);
    return {};
  },
});

function toMap(item: unknown): Readonly<Record<string, unknown>> {
  const read: unknown = typeof item === 'string' && /^\s*\{/.test(item) ? JSON.parse(item) : item;
  const map = z.record(z.string(), z.unknown()).safeParse(read);
  if (map.success) return map.data;
  throw new TaskFailed('"item" must be a map, or the JSON of one.', { retry: false });
}

const getItem = defineTask({
  type: 'aws.dynamodb.GetItem',
  title: 'Get an item of a DynamoDB table',
  description: 'Reads the item with this key. The output has no `row` when there is none.',
  input: () => z.object({ ...tableProperties, key: keyProperty() }),
  output: () => z.object({ row: z.record(z.string(), z.unknown()).optional().describe('The item.') }),
  metrics,
  sideEffects: true,
  examples: [
    taskExample('aws.dynamodb.GetItem', 'Read an item.', ['tableName: persons', 'key:', '  id: "1"']),
  ],
  async run(context, { tableName, key, ...connection }) {
    const client = await openClient(context, connection, 'dynamodb');
    const { Item } = await client.json(
      'GetItem',
      { TableName: tableName, Key: toAttributes(key) },
      z.object({ Item: Attributes.optional() }),
    );
    count(context, Item ? 1 : 0);
    return Item ? { row: fromAttributes(Item) } : {};
  },
});

const deleteItem = defineTask({
  type: 'aws.dynamodb.DeleteItem',
  title: 'Delete an item of a DynamoDB table',
  description: 'Deletes the item with this key. One that does not exist is no error.',
  input: () => z.object({ ...tableProperties, key: keyProperty() }),
  output: none,
  metrics,
  sideEffects: true,
  examples: [
    taskExample('aws.dynamodb.DeleteItem', 'Delete an item.', ['tableName: persons', 'key:', '  id: "1"']),
  ],
  async run(context, { tableName, key, ...connection }) {
    const client = await openClient(context, connection, 'dynamodb');
    await client.json('DeleteItem', { TableName: tableName, Key: toAttributes(key) }, Nothing);
    count(context, 1);
    return {};
  },
});

const Page = z.object({ Items: z.array(Attributes).default([]), LastEvaluatedKey: Attributes.nullish() });

/** All items of a query or scan, page by page. */
async function* readItems(
  client: AwsClient,
  action: 'Query' | 'Scan',
  request: object,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Record<string, unknown>> {
  let left = limit;
  for (let start: z.infer<typeof Attributes> | undefined; ; ) {
    const page = await client.json(
      action,
      { ...request, ...dropMissing({ ExclusiveStartKey: start }) },
      Page,
    );
    for (const item of page.Items) {
      if (left-- <= 0) return;
      yield fromAttributes(item);
    }
    if (!page.LastEvaluatedKey || left <= 0) return;
    start = page.LastEvaluatedKey;
  }
}

const fetchProperties = {
  fetchType: fetchTypeProperty('STORE'),
  limit: integer({ min: 1 }).optional().describe('How many items at most.'),
  filterExpression: text().optional().describe('Which of the items that were read are returned.'),
};

const query = defineTask({
  type: 'aws.dynamodb.Query',
  title: 'Query a DynamoDB table',
  description: `Reads the items with a partition key, page by page. ${values}`,
  input: () =>
    z.object({
      ...tableProperties,
      ...fetchProperties,
      keyConditionExpression: text().describe('Which keys, such as `id = :id`.'),
      expressionAttributeValues: mapOf(anything()).describe('The values in the expressions, by name.'),
    }),
  output: () => z.object(fetchedOutput),
  metrics,
  sideEffects: true,
  examples: [
    taskExample('aws.dynamodb.Query', 'Find the orders of a customer.', [
      'tableName: orders',
      'keyConditionExpression: customer = :customer',
      'expressionAttributeValues:',
      '  ":customer": "1"',
      'fetchType: FETCH',
    ]),
  ],
  async run(context, input) {
    const client = await openClient(context, input, 'dynamodb');
    const rows = readItems(
      client,
      'Query',
      {
        TableName: input.tableName,
        KeyConditionExpression: input.keyConditionExpression,
        ExpressionAttributeValues: toAttributes(input.expressionAttributeValues),
        ...dropMissing({ FilterExpression: input.filterExpression }),
      },
      input.limit,
    );
    const done = await fetchRows(context, input.fetchType, rows);
    count(context, done.size);
    return done;
  },
});

const scan = defineTask({
  type: 'aws.dynamodb.Scan',
  title: 'Read a whole DynamoDB table',
  description: `Reads all items of a table, page by page. ${values}`,
  input: () =>
    z.object({
      ...tableProperties,
      ...fetchProperties,
      expressionAttributeValues: mapOf(anything()).optional().describe('The values in the filter, by name.'),
    }),
  output: () => z.object(fetchedOutput),
  metrics,
  sideEffects: true,
  examples: [taskExample('aws.dynamodb.Scan', 'Export a table to a file.', ['tableName: persons'])],
  async run(context, input) {
    const client = await openClient(context, input, 'dynamodb');
    const values = input.expressionAttributeValues;
    const rows = readItems(
      client,
      'Scan',
      {
        TableName: input.tableName,
        ...dropMissing({
          FilterExpression: input.filterExpression,
          ExpressionAttributeValues: values && toAttributes(values),
        }),
      },
      input.limit,
    );
    const done = await fetchRows(context, input.fetchType, rows);
    count(context, done.size);
    return done;
  },
});

export const dynamodbTypes: readonly Definition[] = [putItem, getItem, deleteItem, query, scan];
