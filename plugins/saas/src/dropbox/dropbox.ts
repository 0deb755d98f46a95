import {
  dropMissing,
  fetchRows,
  type JsonMap,
  mapIn,
  mapsIn,
  readJsonMap,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const login = {
  prefix: 'dropbox.files',
  name: 'Dropbox',
  properties: { accessToken: need.secret('An access token.') },
  auth: ({ accessToken }: { accessToken: string }) => bearer(accessToken),
  example: { accessToken: "{{ secret('DROPBOX_TOKEN') }}" },
};
const dropbox = defineService({ ...login, baseUrl: 'https://api.dropboxapi.com/2/files' });
/** Contents have their own host. */
const contents = defineService({ ...login, baseUrl: 'https://content.dropboxapi.com/2/files' });

/** A file or folder as the outputs show it. */
const toFile = (entry: JsonMap): JsonMap =>
  dropMissing({
    name: entry.name,
    id: entry.id,
    path: entry.path_display,
    type: entry['.tag'],
    size: entry.size,
    clientModified: entry.client_modified,
  });

const file = { file: out.map('The file or folder: `name`, `id`, `path`, `type`, `size`, `clientModified`.') };
const autorename = preset.flag(false, 'Give it another name when there is one with this name.');

const copy = dropbox.task({
  type: 'Copy',
  title: 'Copy a file or folder of Dropbox',
  description: 'Copies a file or folder to another path.',
  properties: {
    from: need.text('The path of the source.'),
    to: need.text('The path of the copy.'),
    autorename,
  },
  request: 'POST /copy_v2',
  body: { from_path: 'from', to_path: 'to', autorename: 'autorename' },
  output: file,
  result: ({ body }) => ({ file: toFile(mapIn(mapIn(body).metadata)) }),
  example: { from: '/reports/a.csv', to: '/archive/a.csv' },
});

const move = dropbox.task({
  type: 'Move',
  title: 'Move a file or folder of Dropbox',
  description: 'Moves a file or folder to another path.',
  properties: {
    from: need.text('The path.'),
    to: need.text('The new path.'),
    autorename,
    allowOwnershipTransfer: preset.flag(false, 'Allow moves that change the owner.'),
  },
  request: 'POST /move_v2',
  body: {
    from_path: 'from',
    to_path: 'to',
    autorename: 'autorename',
    allow_ownership_transfer: 'allowOwnershipTransfer',
  },
  output: file,
  result: ({ body }) => ({ file: toFile(mapIn(mapIn(body).metadata)) }),
  example: { from: '/inbox/a.csv', to: '/done/a.csv' },
});

const createFolder = dropbox.task({
  type: 'CreateFolder',
  title: 'Create a folder in Dropbox',
  description: 'Creates a folder.',
  properties: { path: need.text('The path of the folder.'), autorename },
  request: 'POST /create_folder_v2',
  body: ['path', 'autorename'],
  output: file,
  result: ({ body }) => ({ file: { type: 'folder', ...toFile(mapIn(mapIn(body).metadata)) } }),
  example: { path: '/reports' },
});

const remove = dropbox.task({
  type: 'Delete',
  title: 'Delete a file or folder of Dropbox',
  description: 'Deletes a file, or a folder with everything in it.',
  properties: { from: need.text('The path.') },
  request: 'POST /delete_v2',
  body: { path: 'from' },
  output: file,
  result: ({ body }) => ({ file: toFile(mapIn(mapIn(body).metadata)) }),
  example: { from: '/reports/a.csv' },
});

const metadata = dropbox.task({
  type: 'GetMetadata',
  title: 'Get the metadata of a file or folder of Dropbox',
  description: 'Reads name, size and dates of a file or folder.',
  properties: {
    path: need.text('The path.'),
    includeMediaInfo: preset.flag(false, 'Read the details of photos and videos too.'),
  },
  request: 'POST /get_metadata',
  body: { path: 'path', include_media_info: 'includeMediaInfo' },
  output: file,
  result: ({ body }) => ({ file: toFile(mapIn(body)) }),
  example: { path: '/reports/a.csv' },
});

const rowOutputs = {
  rows: out.maps('The files and folders, with `FETCH`.'),
  row: out.map('The first, with `FETCH_ONE`.'),
  uri: out.text('A file with one a line, with `STORE`.'),
  size: out.integer('How many there are.'),
};
const rowProperties = {
  fetchType: preset.fetchType('FETCH', 'rows'),
};
const counter = [{ name: 'files.count', type: 'counter' as const, description: 'How many there were.' }];

const list = dropbox.task({
  type: 'List',
  title: 'List a folder of Dropbox',
  description: 'Lists files and folders, page by page.',
  properties: {
    ...rowProperties,
    from: may.text('The path of the folder; the root when absent.'),
    recursive: preset.flag(false, 'List the folders inside too.'),
    limit: preset.integer(2000, 'The most entries of one page.'),
  },
  metrics: counter,
  output: rowOutputs,
  run: async (client, { from = '', recursive, limit, fetchType }, context) => {
    async function* entries(): AsyncGenerator<JsonMap> {
      let page = await client.ask({
        method: 'POST',
        path: '/list_folder',
        body: { path: from === '/' ? '' : from, recursive, limit },
      });
      for (;;) {
        for (const entry of mapsIn(page.entries)) yield toFile(entry);
        if (page.has_more !== true) return;
        page = await client.ask({
          method: 'POST',
          path: '/list_folder/continue',
          body: { cursor: page.cursor },
        });
      }
    }
    const fetched = await fetchRows(context, fetchType, entries());
    context.metric({ name: 'files.count', type: 'counter', value: fetched.size });
    return { ...fetched };
  },
  example: { from: '/reports' },
});

const search = dropbox.task({
  type: 'Search',
  title: 'Search Dropbox',
  description: 'Searches files and folders by name and content.',
  properties: {
    ...rowProperties,
    query: need.text('The words to search for.'),
    path: may.text('Only inside of this folder.'),
    maxResults: may.integer('The most matches.'),
    fileExtensions: may.texts('Only files with one of these extensions.'),
  },
  metrics: counter,
  output: rowOutputs,
  run: async (client, { query, path, maxResults, fileExtensions, fetchType }, context) => {
    async function* matches(): AsyncGenerator<JsonMap> {
      const options = dropMissing({ path, max_results: maxResults, file_extensions: fileExtensions });
      let page = await client.ask({ method: 'POST', path: '/search_v2', body: { query, options } });
      for (let count = 0; ; ) {
        for (const match of mapsIn(page.matches)) {
          if (maxResults !== undefined && count++ >= maxResults) return;
          yield toFile(mapIn(mapIn(match.metadata).metadata));
        }
        if (page.has_more !== true) return;
        page = await client.ask({
          method: 'POST',
          path: '/search/continue_v2',
          body: { cursor: page.cursor },
        });
      }
    }
    const fetched = await fetchRows(context, fetchType, matches());
    context.metric({ name: 'files.count', type: 'counter', value: fetched.size });
    return { ...fetched };
  },
  example: { query: 'invoice', path: '/reports', maxResults: 20 },
});

/** A call with content passes its arguments in a header, which allows only ASCII. */
const argument = (value: JsonMap): Record<string, string> => ({
  'dropbox-api-arg': JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
});

const download = contents.task({
  type: 'Download',
  title: 'Download a file from Dropbox',
  description: 'Stores a file in internal storage.',
  properties: { from: need.text('The path of the file.') },
  output: { uri: out.text('The file in internal storage.'), metadata: out.map('The metadata of the file.') },
  run: async (client, { from }) => {
    const request = { method: 'POST', path: '/download', headers: argument({ path: from }) } as const;
    const { uri, headers } = await client.download(request, from.split('/').at(-1) || 'file');
    const described = headers['dropbox-api-result']?.[0];
    return { uri, metadata: described === undefined ? undefined : readJsonMap(described, 'metadata') };
  },
  example: { from: '/reports/a.csv' },
});

/** One request accepts at most 150 MB; larger files are sent in parts of this size. */
const pieceBytes = 64 * 1024 * 1024;
const binary = { 'content-type': 'application/octet-stream' };

const upload = contents.task({
  type: 'Upload',
  title: 'Upload a file to Dropbox',
  description: 'Uploads a file of internal storage; large files are sent in pieces of 64 MB.',
  properties: {
    from: need.file('The file in internal storage.'),
    to: need.text('The path in Dropbox.'),
    mode: preset.text('ADD', '`ADD` keeps a file that is there, `OVERWRITE` replaces it.'),
    autorename,
  },
  output: { metadata: out.map('The metadata of the file.') },
  run: async (client, { from, to, mode, autorename: renames }, context) => {
    const size = await context.files.sizeOf(from);
    if (size === undefined)
      throw new TaskFailed(`"${from}" is not a file of internal storage.`, { retry: false });
    const commit = { path: to, mode: mode.toLowerCase(), autorename: renames };
    const content = await context.files.read(from);
    const post = (action: string, arg: JsonMap, body: Uint8Array | AsyncIterable<Uint8Array>) =>
      client.ask({
        method: 'POST',
        path: `/${action}`,
        headers: { ...argument(arg), ...binary },
        content: body,
      });
    if (size <= pieceBytes) return { metadata: await post('upload', commit, content) };
    const session = await post('upload_session/start', { close: false }, Buffer.alloc(0));
    const id = textOf(session.session_id);
    let offset = 0;
    for await (const piece of pieces(content)) {
      await post('upload_session/append_v2', { cursor: { session_id: id, offset }, close: false }, piece);
      offset += piece.length;
    }
    const end = { cursor: { session_id: id, offset }, commit };
    return { metadata: await post('upload_session/finish', end, Buffer.alloc(0)) };
  },
  example: { from: '{{ inputs.file }}', to: '/reports/a.csv', mode: 'OVERWRITE' },
});

async function* pieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}

export const dropboxTypes = [copy, move, createFolder, remove, metadata, list, search, download, upload];
