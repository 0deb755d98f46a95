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
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';
import { toAttributes } from './attributes.ts';
import { putItem as putItemInto, readItem, readItems, removeItem } from './items.ts';

const tableProperties = { ...taskConnection, tableName: text().describe('The name of the table.') };
const metrics = [{ name: 'records', type: 'counter', description: 'How many items it was about.' }] as const;
const keyProperty = () => mapOf(anything()).describe('The attributes of the key.');
const none = () => z.object({});

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
    await putItemInto(client, tableName, item);
    count(context, 1);
    return {};
  },
});

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
    const row = await readItem(client, tableName, key);
    count(context, row ? 1 : 0);
    return row ? { row } : {};
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
    await removeItem(client, tableName, key);
    count(context, 1);
    return {};
  },
});

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
