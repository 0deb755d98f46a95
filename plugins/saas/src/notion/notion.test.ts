import { expect, test } from 'vitest';
import {
  aServiceContext,
  exampleOf,
  expectExchanges,
  startServices,
  testCalls,
} from '../testing/exchange.ts';
import { toBlocks, toMarkdown } from './markdown.ts';
import { notionTypes } from './notion.ts';

startServices();

const api = 'https://api.notion.com/v1';
const id = '59833787-2cf9-4fdf-8782-e53db20768a5';
const properties = { title: { type: 'title', title: [{ plain_text: 'Daily report' }] } };
const page = {
  id,
  url: 'https://notion.so/x',
  last_edited_time: '2026-01-31T08:00:00Z',
  archived: false,
  properties,
};
const shown = {
  pageId: id,
  url: 'https://notion.so/x',
  title: 'Daily report',
  lastEditedTime: '2026-01-31T08:00:00Z',
  archived: false,
  properties,
};
const text = (content: string) => [{ type: 'text', text: { content } }];
const item = { properties: { Name: { title: [{ text: { content: 'Order 42' } }] } } };

testCalls(notionTypes, {
  headers: { authorization: 'Bearer NOTION_TOKEN', 'notion-version': '2022-06-28' },
  cases: [
    {
      type: 'notion.page.Create',
      exchanges: [
        {
          asks: `POST ${api}/pages`,
          sends: {
            parent: { page_id: 'p0' },
            properties: { title: { title: text('Daily report') } },
            children: [
              { type: 'heading_1', heading_1: { rich_text: text('Orders') } },
              { type: 'bulleted_list_item', bulleted_list_item: { rich_text: text('42 new ones') } },
            ],
          },
          replies: page,
        },
      ],
      gives: { ...shown, content: '# Orders\n- 42 new ones', message: 'The page was created.' },
    },
    {
      type: 'notion.page.Read',
      exchanges: [
        { asks: `GET ${api}/pages/${id}`, replies: page },
        {
          asks: `GET ${api}/blocks/${id}/children?page_size=100`,
          replies: {
            results: [{ type: 'quote', quote: { rich_text: [{ plain_text: 'a' }] } }],
            next_cursor: 'c',
          },
        },
        {
          asks: `GET ${api}/blocks/${id}/children?page_size=100&start_cursor=c`,
          replies: { results: [{ type: 'divider', divider: {} }], next_cursor: null },
        },
      ],
      gives: { ...shown, content: '> a\n---', message: 'The page was read.' },
    },
    {
      type: 'notion.page.Update',
      with: { title: 'Daily report' },
      exchanges: [
        {
          asks: `PATCH ${api}/blocks/${id}/children`,
          sends: {
            children: [
              { type: 'bulleted_list_item', bulleted_list_item: { rich_text: text('43 new ones') } },
            ],
          },
          replies: {},
        },
        {
          asks: `PATCH ${api}/pages/${id}`,
          sends: { properties: { title: { title: text('Daily report') } } },
          replies: page,
        },
      ],
      gives: { ...shown, content: '- 43 new ones', message: 'The page was updated.' },
    },
    {
      type: 'notion.page.Archive',
      exchanges: [{ asks: `PATCH ${api}/pages/${id}`, sends: { archived: true }, replies: page }],
      gives: { ...shown, message: 'The page was archived.' },
    },
    {
      type: 'notion.database.Query',
      exchanges: [
        {
          asks: `POST ${api}/databases/d1/query`,
          sends: { filter: { property: 'Done', checkbox: { equals: false } }, page_size: 100 },
          replies: { results: [{ id: 'x' }], has_more: true, next_cursor: 'c' },
        },
      ],
      gives: { size: 1, hasMore: true, nextCursor: 'c' },
      stores: { uri: '{"id":"x"}\n' },
    },
    {
      type: 'notion.database.CreateItem',
      exchanges: [
        { asks: `POST ${api}/pages`, sends: { parent: { database_id: 'd1' }, ...item }, replies: page },
      ],
      gives: { ...shown, message: 'The item was created.' },
    },
    {
      type: 'notion.database.UpdateItem',
      exchanges: [{ asks: `PATCH ${api}/pages/${id}`, sends: item, replies: page }],
      gives: { ...shown, message: 'The item was updated.' },
    },
    {
      type: 'notion.database.DeleteItem',
      exchanges: [{ asks: `PATCH ${api}/pages/${id}`, sends: { archived: true }, replies: page }],
      gives: { ...shown, message: 'The item was deleted.' },
    },
    {
      type: 'notion.database.DeleteItem',
      when: 'that is missing',
      exchanges: [
        {
          asks: `PATCH ${api}/pages/${id}`,
          sends: { archived: true },
          status: 404,
          replies: { code: 'object_not_found', message: 'Could not find page' },
        },
      ],
      fails: 'Could not find page',
    },
  ],
});

test('notion.page.UpdateTrigger starts when the page was changed', async () => {
  const trigger = notionTypes.at(-1);
  if (trigger?.kind !== 'trigger') throw new Error('No trigger');
  const context = aServiceContext();
  const poll = async (time: string) => {
    expectExchanges([
      { asks: '', replies: { ...page, last_edited_time: time } },
      { asks: '', replies: { results: [] } },
    ]);
    return trigger.poll?.(context, trigger.input.parse(exampleOf(trigger)));
  };
  expect(await poll('a')).toBeUndefined();
  expect(await poll('a')).toBeUndefined();
  expect(await poll('b')).toMatchObject({ pageId: id, lastEditedTime: 'b' });
});

test('Markdown becomes blocks and comes back', () => {
  const markdown =
    '# One\n## Two\n### Three\ntext with **bold**, *italic*, `code` and [a link](https://x.example)\n- item\n1. first\n- [x] done\n- [ ] open\n> said\n---\n```sql\nSELECT 1\n```';
  const blocks = toBlocks(markdown);
  expect(blocks).toHaveLength(11);
  expect(toMarkdown(blocks)).toBe(markdown);
});

test('long texts are cut into pieces that Notion takes', () => {
  const [block] = toBlocks('x'.repeat(4500));
  expect(block).toMatchObject({ paragraph: { rich_text: [{}, {}, { text: { content: 'x'.repeat(500) } }] } });
});
