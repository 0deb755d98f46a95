import { startServices, testCalls } from '../testing/exchange.ts';
import { mondayTypes } from './monday.ts';
import {
  boardQuery,
  createItem,
  createUpdate,
  deleteItem,
  itemsQuery,
  nextPageQuery,
  updateItem,
} from './queries.ts';

startServices();

const monday = 'POST https://api.monday.com/v2';
const boardId = '1234567890';
const itemId = '9876543210';
const url = 'https://acme.monday.com/boards/1234567890/pulses/9876543210';
const item = (id: string) => ({
  id,
  name: 'Load',
  created_at: 'a',
  updated_at: 'b',
  group: { id: 'topics', title: 'Topics' },
  column_values: [
    { id: 'status', type: 'status', text: 'Done', value: '{"index":1}' },
    { id: 'orders', type: 'board_relation', text: null, value: null, display_value: 'Order 42' },
  ],
});
const row = (id: string) => ({
  id,
  name: 'Load',
  group: { id: 'topics', title: 'Topics' },
  createdAt: 'a',
  updatedAt: 'b',
  columns: {
    status: { type: 'status', text: 'Done', value: { index: 1 } },
    orders: { type: 'board_relation', text: 'Order 42', value: null },
  },
});
const asksForBoard = { asks: monday, sends: { query: boardQuery, variables: { boardId, limit: 100 } } };
const deletion = { asks: monday, sends: { query: deleteItem, variables: { itemId } } };
const exhausted = (pause: number) => ({
  ...deletion,
  replies: {
    errors: [
      {
        message: 'Complexity budget exhausted',
        extensions: { code: 'COMPLEXITY_BUDGET_EXHAUSTED', retry_in_seconds: pause },
      },
    ],
  },
});

testCalls(mondayTypes, {
  headers: { authorization: 'MONDAY_TOKEN' },
  cases: [
    {
      type: 'monday.Query',
      with: { apiVersion: '2026-01' },
      exchanges: [
        {
          asks: monday,
          sends: {
            query: 'query ($ids: [ID!]) {\n  boards(ids: $ids) { id name }\n}\n',
            variables: { ids: [boardId] },
          },
          headers: { 'api-version': '2026-01' },
          replies: { data: { boards: [{ id: boardId, name: 'Loads' }] } },
        },
      ],
      gives: { data: { boards: [{ id: boardId, name: 'Loads' }] } },
    },
    {
      type: 'monday.Query',
      when: 'with errors beside data',
      with: { query: '{ me { id } you }', variables: undefined },
      exchanges: [
        {
          asks: monday,
          sends: { query: '{ me { id } you }', variables: {} },
          headers: { 'api-version': undefined },
          replies: {
            data: { me: null },
            errors: [{ message: 'User unauthorized to perform action' }, { message: 'No field "you"' }],
          },
        },
      ],
      fails: 'monday.com refuses the request: User unauthorized to perform action; No field "you"',
    },
    {
      type: 'monday.GetItems',
      exchanges: [
        {
          ...asksForBoard,
          replies: { data: { boards: [{ items_page: { cursor: 'c1', items: [item('1')] } }] } },
        },
        {
          asks: monday,
          sends: { query: nextPageQuery, variables: { cursor: 'c1', limit: 100 } },
          replies: { data: { next_items_page: { cursor: null, items: [item('2')] } } },
        },
      ],
      gives: { rows: [row('1'), row('2')], size: 2 },
    },
    {
      type: 'monday.GetItems',
      when: 'of a board that does not exist',
      exchanges: [{ ...asksForBoard, replies: { data: { boards: [] } } }],
      fails: 'monday.com has no board "1234567890"',
    },
    {
      type: 'monday.GetItems',
      when: 'by ids, only the first',
      with: { boardId: undefined, itemIds: [itemId], fetchType: 'FETCH_ONE' },
      exchanges: [
        {
          asks: monday,
          sends: { query: itemsQuery, variables: { ids: [itemId], limit: 100 } },
          replies: { data: { items: [item(itemId)] } },
        },
      ],
      gives: { row: row(itemId), size: 1 },
    },
    {
      type: 'monday.GetItems',
      when: 'with a board and ids',
      with: { itemIds: [itemId] },
      exchanges: [],
      fails: 'Either "boardId" or "itemIds" must be given.',
    },
    {
      type: 'monday.CreateItem',
      exchanges: [
        {
          asks: monday,
          sends: {
            query: createItem,
            variables: {
              boardId,
              name: 'The nightly load failed',
              columnValues: '{"status":{"label":"Stuck"}}',
              createLabels: false,
            },
          },
          replies: { data: { create_item: { id: itemId, url } } },
        },
      ],
      gives: { itemId, url },
    },
    {
      type: 'monday.UpdateItem',
      exchanges: [
        {
          asks: monday,
          sends: {
            query: updateItem,
            variables: {
              boardId,
              itemId,
              columnValues: '{"status":{"label":"Done"}}',
              createLabels: false,
            },
          },
          replies: { data: { change_multiple_column_values: { id: itemId, url } } },
        },
      ],
      gives: { itemId, url },
    },
    {
      type: 'monday.DeleteItem',
      when: 'after a limit was reached',
      exchanges: [exhausted(0), { ...deletion, replies: { data: { delete_item: { id: itemId } } } }],
      gives: { itemId },
    },
    {
      type: 'monday.DeleteItem',
      when: 'while a limit lasts for hours',
      exchanges: [exhausted(7200)],
      fails: 'monday.com refuses the request: Complexity budget exhausted',
    },
    {
      type: 'monday.DeleteItem',
      when: 'after a limit of an older version',
      exchanges: [
        {
          ...deletion,
          replies: {
            error_code: 'ComplexityException',
            status_code: 429,
            error_message: 'Complexity budget exhausted, reset in 0 seconds',
            errors: ['Complexity budget exhausted, reset in 0 seconds'],
          },
        },
        { ...deletion, replies: { data: { delete_item: { id: itemId } } } },
      ],
      gives: { itemId },
    },
    {
      type: 'monday.CreateUpdate',
      exchanges: [
        {
          asks: monday,
          sends: {
            query: createUpdate,
            variables: { itemId, body: 'The load succeeded at the second attempt.' },
          },
          replies: { data: { create_update: { id: '77' } } },
        },
      ],
      gives: { updateId: '77' },
    },
  ],
});
