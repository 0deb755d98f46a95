import { dropMissing, type JsonMap, mapIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { readRows } from '../rest/paging.ts';
import { may, need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { titleOf, toBlocks, toMarkdown } from './markdown.ts';

const notion = defineService({
  name: 'Notion',
  prefix: 'notion',
  baseUrl: 'https://api.notion.com/v1',
  properties: {
    apiToken: may.secret('The token of an integration, which the page must be shared with.'),
    ...requestOptions,
  },
  auth: ({ apiToken }) => (apiToken === undefined ? undefined : bearer(apiToken)),
  headers: () => ({ 'notion-version': '2022-06-28' }),
  example: { apiToken: "{{ secret('NOTION_TOKEN') }}" },
});

const pageOutput = {
  pageId: out.text('The id of the page.'),
  url: out.text('The address of the page.'),
  title: out.text('The title.'),
  content: out.text('The content, as Markdown.'),
  createdTime: out.text('When it was created.'),
  lastEditedTime: out.text('When it was changed.'),
  archived: out.flag('Whether it is in the trash.'),
  properties: out.map('The properties of the page, as Notion has them.'),
  message: out.text('A summary of the action.'),
};

const toPage = (page: JsonMap, more: JsonMap = {}): JsonMap =>
  dropMissing({
    pageId: page.id,
    url: page.url,
    title: titleOf(page.properties),
    createdTime: page.created_time,
    lastEditedTime: page.last_edited_time,
    archived: page.archived,
    properties: page.properties,
    ...more,
  });

const titleProperty = (title: string): JsonMap => ({
  title: { title: [{ type: 'text', text: { content: title } }] },
});
const pagePath = (id: string): string => `/pages/${encodeURIComponent(id)}`;
const pageId = { pageId: need.text('The id of the page.') };
const pageExample = { pageId: '59833787-2cf9-4fdf-8782-e53db20768a5' };

/** The maximum number of blocks in one Notion request. */
const maxBlocks = 100;

async function append(client: RestClient, id: string, blocks: readonly JsonMap[]): Promise<void> {
  for (let at = 0; at < blocks.length; at += maxBlocks)
    await client.send({
      method: 'PATCH',
      path: `/blocks/${encodeURIComponent(id)}/children`,
      body: { children: blocks.slice(at, at + maxBlocks) },
    });
}

async function readContent(client: RestClient, id: string): Promise<string> {
  const blocks: JsonMap[] = [];
  const request = { path: `/blocks/${encodeURIComponent(id)}/children`, query: { page_size: maxBlocks } };
  const paging = { kind: 'cursor', parameter: 'start_cursor', next: 'next_cursor' } as const;
  for await (const block of readRows(client, { request, at: 'results', paging })) blocks.push(block);
  return toMarkdown(blocks);
}

const createPage = notion.task({
  type: 'page.Create',
  title: 'Create a page in Notion',
  description: 'Creates a page below another one, with a content in Markdown.',
  properties: {
    parentPageId: need.text('The id of the page above.'),
    title: need.text('The title.'),
    content: may.text('The content, as Markdown: headings, lists, to-dos, quotes, code and links.'),
  },
  output: pageOutput,
  run: async (client, { parentPageId, title, content = '' }) => {
    const blocks = toBlocks(content);
    const page = await client.ask({
      method: 'POST',
      path: '/pages',
      body: {
        parent: { page_id: parentPageId },
        properties: titleProperty(title),
        children: blocks.slice(0, maxBlocks),
      },
    });
    await append(client, String(page.id), blocks.slice(maxBlocks));
    return toPage(page, { title, content, message: 'The page was created.' });
  },
  example: { parentPageId: 'p0', title: 'Daily report', content: '# Orders\n- 42 new ones' },
});

const readPage = notion.task({
  type: 'page.Read',
  title: 'Read a page of Notion',
  description:
    'Reads the title, the properties and the content of a page. Blocks inside of blocks are not read.',
  properties: pageId,
  output: pageOutput,
  run: async (client, { pageId: id }) => {
    const page = await client.ask({ path: pagePath(id) });
    return toPage(page, { content: await readContent(client, id), message: 'The page was read.' });
  },
  example: pageExample,
});

const updatePage = notion.task({
  type: 'page.Update',
  title: 'Update a page of Notion',
  description: 'Changes the title, or appends a content in Markdown at the end.',
  properties: {
    ...pageId,
    title: may.text('The new title.'),
    content: may.text('Markdown that is appended.'),
  },
  output: pageOutput,
  run: async (client, { pageId: id, title, content }) => {
    if (title === undefined && content === undefined)
      throw new TaskFailed('"title" or "content" must be given.', { retry: false });
    if (content !== undefined) await append(client, id, toBlocks(content));
    const page = await client.ask(
      title === undefined
        ? { path: pagePath(id) }
        : { method: 'PATCH', path: pagePath(id), body: { properties: titleProperty(title) } },
    );
    return toPage(page, { content, message: 'The page was updated.' });
  },
  example: { ...pageExample, content: '- 43 new ones' },
});

const archivePage = notion.task({
  type: 'page.Archive',
  title: 'Move a page of Notion to the trash',
  description: 'Archives a page.',
  properties: pageId,
  request: 'PATCH /pages/{pageId}',
  body: () => ({ archived: true }),
  output: pageOutput,
  result: ({ body }) => toPage(mapIn(body), { message: 'The page was archived.' }),
  example: pageExample,
});

const query = notion.task({
  type: 'database.Query',
  title: 'Query a database of Notion',
  description:
    'Reads one page of the rows of a database. `nextCursor` is the `startCursor` of the next page.',
  properties: {
    databaseId: need.text('The id of the database.'),
    filter: may.map('A filter, as Notion has them.'),
    sorts: may.maps('The order, as Notion has it.'),
    pageSize: preset.integer(100, 'The most rows, at most 100.'),
    startCursor: may.text('Where to begin.'),
  },
  request: 'POST /databases/{databaseId}/query',
  body: { filter: 'filter', sorts: 'sorts', page_size: 'pageSize', start_cursor: 'startCursor' },
  rows: { at: 'results', fetchType: 'STORE' },
  output: {
    hasMore: out.flag('Whether there are more rows.', 'has_more'),
    nextCursor: out.text('Where the next page begins.', 'next_cursor'),
  },
  example: { databaseId: 'd1', filter: { property: 'Done', checkbox: { equals: false } } },
});

const itemProperties = need.map('The properties of the item, as Notion has them.');
const itemExample = { properties: { Name: { title: [{ text: { content: 'Order 42' } }] } } };

const createItem = notion.task({
  type: 'database.CreateItem',
  title: 'Create an item in a database of Notion',
  description: 'Creates a page in a database.',
  properties: { databaseId: need.text('The id of the database.'), properties: itemProperties },
  request: 'POST /pages',
  body: ({ databaseId, properties }) => ({ parent: { database_id: databaseId }, properties }),
  output: pageOutput,
  result: ({ body }) => toPage(mapIn(body), { message: 'The item was created.' }),
  example: { databaseId: 'd1', ...itemExample },
});

const updateItem = notion.task({
  type: 'database.UpdateItem',
  title: 'Update an item of a database of Notion',
  description: 'Changes properties of an item.',
  properties: { ...pageId, properties: itemProperties },
  request: 'PATCH /pages/{pageId}',
  body: ['properties'],
  output: pageOutput,
  result: ({ body }) => toPage(mapIn(body), { message: 'The item was updated.' }),
  example: { ...pageExample, ...itemExample },
});

const deleteItem = notion.task({
  type: 'database.DeleteItem',
  title: 'Delete an item of a database of Notion',
  description: 'Moves an item to the trash.',
  properties: pageId,
  request: 'PATCH /pages/{pageId}',
  body: () => ({ archived: true }),
  output: pageOutput,
  result: ({ body }) => toPage(mapIn(body), { message: 'The item was deleted.' }),
  example: pageExample,
});

const updated = notion.trigger({
  type: 'page.UpdateTrigger',
  title: 'Start an execution when a page of Notion changes',
  description:
    'Reads a page every `interval` and starts an execution when it was changed since the poll before. The first poll only remembers.',
  interval: 'PT1M',
  properties: pageId,
  output: pageOutput,
  poll: async (client, { pageId: id }, context) => {
    const page = await client.ask({ path: pagePath(id) });
    const editedAt = textOf(page.last_edited_time);
    const before = context.memory;
    context.remember(editedAt);
    if (before === undefined || before === editedAt) return undefined;
    return toPage(page, { content: await readContent(client, id) });
  },
  example: pageExample,
});

export const notionTypes = [
  createPage,
  readPage,
  updatePage,
  archivePage,
  query,
  createItem,
  updateItem,
  deleteItem,
  updated,
];
