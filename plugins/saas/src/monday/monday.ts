import { fetchRows, type JsonMap, mapIn, mapsIn, TaskFailed } from '@millrace/plugin-kit';
import { out, valueAt } from '../rest/outputs.ts';
import { may, need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { ask } from './ask.ts';
import {
  boardQuery,
  createItem,
  createUpdate,
  deleteItem,
  itemsQuery,
  nextPageQuery,
  updateItem,
} from './queries.ts';

const monday = defineService({
  name: 'monday.com',
  prefix: 'monday',
  baseUrl: 'https://api.monday.com',
  properties: {
    token: need.secret('An API token.'),
    apiVersion: may.text('The version of the API, such as `2026-01`; the current one when absent.'),
    ...requestOptions,
  },
  auth: ({ token }) => ({ headers: { authorization: token } }),
  headers: ({ apiVersion }) => ({ 'api-version': apiVersion }),
  example: { token: "{{ secret('MONDAY_TOKEN') }}" },
});

const board = { boardId: need.text('The id of the board.') };
const item = { itemId: need.text('The id of the item.') };
const createLabels = {
  createLabels: preset.flag(false, 'Create labels of status and dropdown columns that do not exist.'),
};
const stored = {
  itemId: out.text('The id of the item.'),
  url: out.text('The address of the item in monday.com.'),
};
const storedItem = (data: unknown): JsonMap => ({ itemId: mapIn(data).id, url: mapIn(data).url });
const boardId = '1234567890';
const itemId = '9876543210';

const query = monday.task({
  type: 'Query',
  title: 'Send GraphQL to monday.com',
  description:
    'Sends a query or a mutation and returns its data. Any error in the response fails the task, also when there is data beside it.',
  properties: {
    query: need.text('The query or mutation, in GraphQL.'),
    variables: may.map('The values of its variables.'),
  },
  output: { data: out.map('The data, as the query asks for it.') },
  run: async (client, input, context) => ({ data: await ask(client, context, input.query, input.variables) }),
  example: {
    query: 'query ($ids: [ID!]) {\n  boards(ids: $ids) { id name }\n}\n',
    variables: { ids: [boardId] },
  },
});

/** Also the most ids that monday.com accepts at once. */
const pageSize = 100;

const get = monday.task({
  type: 'GetItems',
  title: 'Get items of monday.com',
  description: 'Reads the items of a board page by page, or the items with the given ids.',
  properties: {
    boardId: may.text('The id of the board.'),
    queryParams: may.map('Which items of the board: `rules`, `operator` and `order_by` of monday.com.'),
    itemIds: may.texts('The ids of items, instead of `boardId`. Ids that do not exist are left out.'),
    fetchType: preset.fetchType('FETCH', 'items'),
  },
  output: {
    rows: out.maps(
      'The items, with `FETCH`. `columns` has `type`, `text` and `value` of each column by its id.',
    ),
    row: out.map('The first item, with `FETCH_ONE`.'),
    uri: out.text('The file with one item a line, with `STORE`.'),
    size: out.integer('How many items there are.'),
  },
  run: async (client, input, context) => {
    if ((input.boardId === undefined) === (input.itemIds === undefined))
      throw new TaskFailed('Either "boardId" or "itemIds" must be given.', { retry: false });
    const read = (text: string, variables: JsonMap) => ask(client, context, text, variables);
    const items = input.itemIds ? itemsWithIds(read, input.itemIds) : itemsOfBoard(read, input);
    return { ...(await fetchRows(context, input.fetchType, items)) };
  },
  example: { boardId },
});

type Read = (query: string, variables: JsonMap) => Promise<JsonMap>;

async function* itemsWithIds(read: Read, itemIds: readonly string[]) {
  for (let start = 0; start < itemIds.length; start += pageSize) {
    const ids = itemIds.slice(start, start + pageSize);
    yield* mapsIn((await read(itemsQuery, { ids, limit: pageSize })).items).map(toRow);
  }
}

async function* itemsOfBoard(read: Read, { boardId, queryParams }: JsonMap) {
  const data = await read(boardQuery, { boardId, limit: pageSize, queryParams });
  let page = valueAt(data, 'boards.0.items_page');
  if (page === undefined)
    throw new TaskFailed(`monday.com has no board "${boardId}", or the token cannot read it.`, {
      retry: false,
    });
  for (;;) {
    const { cursor, items } = mapIn(page);
    yield* mapsIn(items).map(toRow);
    if (typeof cursor !== 'string' || cursor === '') return;
    page = (await read(nextPageQuery, { cursor, limit: pageSize })).next_items_page;
  }
}

const toRow = ({ created_at, updated_at, column_values, ...fields }: JsonMap): Record<string, unknown> => ({
  ...fields,
  createdAt: created_at,
  updatedAt: updated_at,
  columns: Object.fromEntries(
    mapsIn(column_values).map(({ id, type, text, display_value, value }) => [
      String(id),
      { type, text: text ?? display_value ?? null, value: parsed(value) },
    ]),
  ),
});

/** The values of columns are texts of JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const create = monday.task({
  type: 'CreateItem',
  title: 'Create an item in monday.com',
  description: 'Creates an item on a board.',
  properties: {
    ...board,
    groupId: may.text('The id of the group; the first group of the board when absent.'),
    name: need.text('The name of the item.'),
    columnValues: may.map('The values of columns by their ids, as monday.com documents them for each type.'),
    ...createLabels,
  },
  output: stored,
  run: async (client, { columnValues, ...input }, context) => {
    const { create_item: created } = await ask(client, context, createItem, {
      boardId: input.boardId,
      groupId: input.groupId,
      name: input.name,
      columnValues: columnValues && JSON.stringify(columnValues),
      createLabels: input.createLabels,
    });
    return storedItem(created);
  },
  example: { boardId, name: 'The nightly load failed', columnValues: { status: { label: 'Stuck' } } },
});

const update = monday.task({
  type: 'UpdateItem',
  title: 'Update an item of monday.com',
  description: 'Changes the values of columns of an item.',
  properties: {
    ...board,
    ...item,
    columnValues: need.map(
      'The new values of columns by their ids, as monday.com documents them for each type.',
    ),
    ...createLabels,
  },
  output: stored,
  run: async (client, { columnValues, ...input }, context) => {
    const { change_multiple_column_values: changed } = await ask(client, context, updateItem, {
      boardId: input.boardId,
      itemId: input.itemId,
      columnValues: JSON.stringify(columnValues),
      createLabels: input.createLabels,
    });
    return storedItem(changed);
  },
  example: { boardId, itemId, columnValues: { status: { label: 'Done' } } },
});

const remove = monday.task({
  type: 'DeleteItem',
  title: 'Delete an item of monday.com',
  description: 'Deletes an item. monday.com keeps it in the recycle bin for some days.',
  properties: item,
  output: { itemId: stored.itemId },
  run: async (client, input, context) => {
    const { delete_item: deleted } = await ask(client, context, deleteItem, { itemId: input.itemId });
    return { itemId: mapIn(deleted).id };
  },
  example: { itemId },
});

const comment = monday.task({
  type: 'CreateUpdate',
  title: 'Comment on an item of monday.com',
  description: 'Adds an update, which is a comment, to an item.',
  properties: { ...item, body: need.text('The text, which may have HTML tags.') },
  output: { updateId: out.text('The id of the update.') },
  run: async (client, input, context) => {
    const variables = { itemId: input.itemId, body: input.body };
    const { create_update: created } = await ask(client, context, createUpdate, variables);
    return { updateId: mapIn(created).id };
  },
  example: { itemId, body: 'The load succeeded at the second attempt.' },
});

export const mondayTypes = [query, get, create, update, remove, comment];
