import { fetchRows, type JsonMap, mapIn, textOf } from '@millrace/plugin-kit';
import { basic } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { toMarkdown, toStorage } from './storageFormat.ts';

const confluence = defineService({
  name: 'Confluence',
  prefix: 'confluence.pages',
  properties: {
    serverUrl: need.text('The address of Confluence, such as `https://acme.atlassian.net`.'),
    apiPath: preset.text('/wiki/api/v2', 'The path of the API.'),
    username: need.text('The mail address of the user.'),
    apiToken: need.secret('An API token of the user.'),
  },
  baseUrl: ({ serverUrl, apiPath }) =>
    `${serverUrl.replace(/\/+$/, '')}/${apiPath.replace(/^\/+|\/+$/g, '')}`,
  auth: ({ username, apiToken }) => basic(username, apiToken),
  example: {
    serverUrl: 'https://acme.atlassian.net',
    username: 'ada@example.com',
    apiToken: "{{ secret('CONFLUENCE_TOKEN') }}",
  },
});

const markdown =
  'The content, as Markdown: headings, lists, quotes, code, rules, bold, italic, code and links.';
const bodyOf = (text: string) => ({ representation: 'storage', value: toStorage(text) });
const value = { value: out.text('The page as JSON, as Confluence returns it.') };

const create = confluence.task({
  type: 'Create',
  title: 'Create a page in Confluence',
  description: 'Creates a page with a content in Markdown.',
  properties: {
    embedded: may.flag('Whether the content is embedded in another product.'),
    makePrivate: may.flag('Only the user of the token sees the page.'),
    rootLevel: may.flag('The page stands beside the home page of the space.'),
    spaceId: need.text('The id of the space.'),
    status: may.text('`current` or `draft`.'),
    title: may.text('The title.'),
    parentId: may.text('The id of the page above.'),
    markdown: may.text(markdown),
    subtype: may.text('The subtype, such as `live`.'),
  },
  request: 'POST /pages',
  query: { embedded: 'embedded', private: 'makePrivate', 'root-level': 'rootLevel' },
  body: ({ spaceId, status, title, parentId, markdown: text, subtype }) => ({
    spaceId,
    status,
    title,
    parentId,
    subtype,
    body: text === undefined ? undefined : bodyOf(text),
  }),
  output: value,
  result: ({ body }) => ({ value: JSON.stringify(body) }),
  example: { spaceId: '98306', title: 'Daily report', markdown: '# Orders\n- 42 new ones' },
});

const update = confluence.task({
  type: 'Update',
  title: 'Update a page of Confluence',
  description:
    'Replaces the content of a page. Confluence wants the number of the new version, one more than the last.',
  properties: {
    pageId: need.text('The id of the page.'),
    status: need.text('`current` or `draft`.'),
    title: need.text('The title.'),
    spaceId: may.text('The id of the space.'),
    parentId: may.text('The id of the page above.'),
    ownerId: may.text('The id of the owner.'),
    markdown: need.text(markdown),
    versionInfo: need.map('The version: `number` and `message`.'),
  },
  request: 'PUT /pages/{pageId}',
  body: ({ pageId, status, title, spaceId, parentId, ownerId, markdown: text, versionInfo }) => ({
    id: pageId,
    status,
    title,
    spaceId,
    parentId,
    ownerId,
    body: bodyOf(text),
    version: versionInfo,
  }),
  output: value,
  result: ({ body }) => ({ value: JSON.stringify(body) }),
  example: {
    pageId: '131073',
    status: 'current',
    title: 'Daily report',
    markdown: '43 new ones',
    versionInfo: { number: 2 },
  },
});

const list = confluence.task({
  type: 'List',
  title: 'List the pages of Confluence',
  description: 'Lists pages with their content as Markdown.',
  properties: {
    pageIds: may.integers('Only these pages.'),
    spaceIds: may.integers('Only pages of these spaces.'),
    sort: may.text('The order, such as `-modified-date`.'),
    status: preset.texts(['current', 'archived'], 'Only pages in these states.'),
    title: may.text('Only pages with this title.'),
    subType: may.text('Only pages of this subtype.'),
    cursor: may.text('Where to begin.'),
    limit: preset.integer(25, 'The most pages.'),
    fetchType: preset.fetchType('FETCH', 'pages'),
  },
  output: {
    children: out.maps('The pages: `title`, `markdown`, `versionInfo` and `rawResponse`.'),
    uri: out.text('A file with one page a line, with `STORE`.'),
  },
  run: async (client, input, context) => {
    const { results } = await client.ask({
      path: '/pages',
      query: {
        id: input.pageIds?.join(','),
        'space-id': input.spaceIds?.join(','),
        sort: input.sort,
        status: input.status.join(','),
        title: input.title,
        subtype: input.subType,
        cursor: input.cursor,
        limit: input.limit,
        'body-format': 'storage',
      },
    });
    const pages: JsonMap[] = (Array.isArray(results) ? results : []).map((page: unknown) => {
      const { title, version, body } = mapIn(page);
      const text = textOf(mapIn(mapIn(body).storage).value) ?? '';
      return { title, markdown: toMarkdown(text), versionInfo: version, rawResponse: page };
    });
    const fetched = await fetchRows(
      context,
      input.fetchType,
      pages.map((page) => ({ ...page })),
    );
    return { children: fetched.rows ?? (fetched.row ? [fetched.row] : undefined), uri: fetched.uri };
  },
  example: { spaceIds: [98306], title: 'Daily report' },
});

export const confluenceTypes = [create, update, list];
