import {
  AwsClient,
  putItem,
  readItem,
  readItems,
  removeItem,
  services,
  toAttributes,
} from '@millrace/plugin-aws/compatible';
import { dropMissing, fetchRows, type TaskContext } from '@millrace/plugin-kit';
import { may, need, out, preset } from '@millrace/plugin-saas/rest';
import { type Connection, connection, connectionExample, keysOf, type Types } from '../client/connection.ts';
import { huaweiTask } from '../client/define.ts';

const table = {
  ...connection,
  endpoint: need.text('The address of the instance, such as `http://192.168.0.10:8000`.'),
  tableName: need.text('The name of the table.'),
};

/** GeminiDB speaks the protocol of DynamoDB. */
function openTable(context: TaskContext, input: Connection & { readonly endpoint: string }): AwsClient {
  const keys = keysOf(context, input);
  const { endpoint } = input;
  return new AwsClient({
    context,
    service: { ...services.dynamodb, title: 'GeminiDB' },
    region: input.region ?? 'region',
    endpoint: /^https?:\/\//.test(endpoint) ? endpoint : `http://${endpoint}`,
    credentials: async () => {
      const { accessKeyId, secretAccessKey, securityToken } = await keys();
      return { accessKeyId, secretAccessKey, sessionToken: securityToken };
    },
  });
}

const metrics = [{ name: 'records', type: 'counter', description: 'How many items it was about.' }] as const;
const count = (context: TaskContext, value: number) =>
  context.metric({ name: 'records', type: 'counter', value });
const key = need.map('The attributes of the key.');
const { projectId: _, ...keys } = connectionExample;
const place = { endpoint: 'http://192.168.0.10:8000', tableName: 'persons', ...keys };

const put = huaweiTask({
  type: 'huawei.geminidb.PutItem',
  title: 'Put an item into a GeminiDB table',
  description:
    'Stores an item, and replaces the one with the same key. Put a number in quotes to store it as text.',
  properties: { ...table, item: need.map('The item.') },
  output: {},
  metrics,
  run: async (context, input) => {
    await putItem(openTable(context, input), input.tableName, input.item);
    count(context, 1);
    return {};
  },
  example: { ...place, item: { id: '1', name: 'Ada' } },
});

const get = huaweiTask({
  type: 'huawei.geminidb.GetItem',
  title: 'Get an item of a GeminiDB table',
  description: 'Reads the item with this key. The output has no `row` when there is none.',
  properties: { ...table, key },
  output: { row: out.map('The item.') },
  metrics,
  run: async (context, input) => {
    const row = await readItem(openTable(context, input), input.tableName, input.key);
    count(context, row ? 1 : 0);
    return { row };
  },
  example: { ...place, key: { id: '1' } },
});

const remove = huaweiTask({
  type: 'huawei.geminidb.DeleteItem',
  title: 'Delete an item of a GeminiDB table',
  description: 'Deletes the item with this key. One that does not exist is no error.',
  properties: { ...table, key },
  output: {},
  metrics,
  run: async (context, input) => {
    await removeItem(openTable(context, input), input.tableName, input.key);
    count(context, 1);
    return {};
  },
  example: { ...place, key: { id: '1' } },
});

const rowOutputs = {
  rows: out.maps('The items, with `FETCH`.'),
  row: out.any('The first item, with `FETCH_ONE`; null when there is none.'),
  uri: out.text('The file with one item a line, with `STORE`.'),
  size: out.integer('How many items were read.'),
};

const reading = {
  filterExpression: may.text('Which of the items that were read are returned.'),
  limit: preset.integer(100, 'How many items at most.'),
  fetchType: preset.fetchType('STORE', 'items'),
};

const query = huaweiTask({
  type: 'huawei.geminidb.Query',
  title: 'Query a GeminiDB table',
  description: 'Reads the items with a partition key, page by page.',
  properties: {
    ...table,
    keyConditionExpression: need.text('Which keys, such as `id = :id`.'),
    expressionAttributeValues: need.map('The values in the expressions, by name.'),
    ...reading,
  },
  output: rowOutputs,
  metrics,
  run: async (context, input) => {
    const request = {
      TableName: input.tableName,
      KeyConditionExpression: input.keyConditionExpression,
      ExpressionAttributeValues: toAttributes(input.expressionAttributeValues),
      ...dropMissing({ FilterExpression: input.filterExpression }),
    };
    const items = readItems(openTable(context, input), 'Query', request, input.limit);
    const done = await fetchRows(context, input.fetchType, items);
    count(context, done.size);
    return { ...done };
  },
  example: {
    ...place,
    keyConditionExpression: 'id = :id',
    expressionAttributeValues: { ':id': '1' },
    fetchType: 'FETCH',
  },
});

const scan = huaweiTask({
  type: 'huawei.geminidb.Scan',
  title: 'Read a whole GeminiDB table',
  description: 'Reads the items of a table, page by page, up to `limit`.',
  properties: {
    ...table,
    expressionAttributeValues: may.map('The values in the filter, by name.'),
    ...reading,
  },
  output: rowOutputs,
  metrics,
  run: async (context, input) => {
    const values = input.expressionAttributeValues;
    const request = {
      TableName: input.tableName,
      ...dropMissing({
        FilterExpression: input.filterExpression,
        ExpressionAttributeValues: values && toAttributes(values),
      }),
    };
    const items = readItems(openTable(context, input), 'Scan', request, input.limit);
    const done = await fetchRows(context, input.fetchType, items);
    count(context, done.size);
    return { ...done };
  },
  example: { ...place, limit: 1000 },
});

export const geminidbTypes: Types = [put, get, remove, query, scan];
