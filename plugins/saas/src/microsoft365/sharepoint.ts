import { isMap, type JsonMap, TaskFailed, textOf } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { createItem, itemPath, uploadFile } from './driveFiles.ts';
import { entraLogin, graphScope, graphUrl, neededTenant, tenantExample } from './login.ts';

const sharepoint = defineService({
  name: 'SharePoint',
  prefix: 'microsoft365.sharepoint',
  baseUrl: graphUrl,
  properties: {
    ...neededTenant,
    clientSecret: need.secret('A secret of the application.'),
    siteId: need.text('The id of the site.'),
    driveId: may.text('The id of the document library; the default library of the site when absent.'),
  },
  auth: (input) => entraLogin(input, graphScope),
  example: { ...tenantExample, siteId: 'acme.sharepoint.com,1,2' },
});

const driveOf = ({ siteId, driveId }: { siteId: string; driveId?: string | undefined }): string => {
  const site = `/sites/${encodeURIComponent(siteId)}`;
  return driveId ? `${site}/drives/${encodeURIComponent(driveId)}` : `${site}/drive`;
};

const itemOutputs = {
  itemId: out.text('The id of the item.', 'id'),
  webUrl: out.text('The page of the item.'),
};

const create = sharepoint.task({
  type: 'Create',
  title: 'Create a file or folder in SharePoint',
  description:
    'Creates a folder, or a file with a text. A file that is there already is replaced; a folder fails the task.',
  properties: {
    parentId: need.text('The id of the folder; `root` for the root.'),
    name: need.text('The name of the item.'),
    itemType: preset.choice(['FILE', 'FOLDER'], 'FILE', 'What to create.'),
    content: may.text('The text of the file.'),
  },
  output: { ...itemOutputs, itemName: out.text('The name of the item.') },
  run: async (client, input) => {
    const { id, name, webUrl } = await createItem(client, driveOf(input), input);
    return { itemId: id, itemName: name, webUrl };
  },
  example: { parentId: 'root', name: 'Reports', itemType: 'FOLDER' },
});

const remove = sharepoint.task({
  type: 'Delete',
  title: 'Delete a file or folder of SharePoint',
  description: 'Moves an item to the recycle bin.',
  properties: { itemId: need.text('The id of the item.') },
  request: (input) => `DELETE ${itemPath(driveOf(input), input.itemId)}`,
  output: { itemId: out.text('The id of the item.') },
  result: (_, { itemId }) => ({ itemId }),
  example: { itemId: '01ITEM' },
});

const place = {
  itemId: may.text('The id of the item; or `itemPath`.'),
  itemPath: may.text('The path of the item in the library, such as `/Reports/2026.docx`.'),
};

interface Place {
  readonly itemId?: string | undefined;
  readonly itemPath?: string | undefined;
}

/** The item by its id or its path. */
async function findItem(
  client: RestClient,
  drive: string,
  { itemId, itemPath: path }: Place,
): Promise<JsonMap> {
  if (itemId) return client.ask({ path: itemPath(drive, itemId) });
  if (!path) throw new TaskFailed('"itemId" or "itemPath" must be given.', { retry: false });
  return client.ask({
    path: `${drive}/root:/${path.split('/').filter(Boolean).map(encodeURIComponent).join('/')}`,
  });
}

const download = sharepoint.task({
  type: 'Download',
  title: 'Download a file from SharePoint',
  description: 'Stores the content of a file in internal storage.',
  properties: place,
  output: {
    ...itemOutputs,
    name: out.text('The name of the file.'),
    uri: out.text('The file in internal storage.'),
    size: out.integer('Its size in bytes.'),
  },
  run: async (client, input) => {
    const drive = driveOf(input);
    const item = await findItem(client, drive, input);
    const name = textOf(item.name) ?? 'download';
    const { uri, size } = await client.download(
      { path: `${itemPath(drive, String(item.id))}/content` },
      name,
    );
    return { itemId: item.id, name, uri, size, webUrl: item.webUrl };
  },
  example: { itemPath: '/Reports/2026.docx' },
});

const exportFile = sharepoint.task({
  type: 'Export',
  title: 'Export a file of SharePoint in another format',
  description:
    'Microsoft converts the file, for example a document of Word to PDF, and the task stores the result.',
  properties: { ...place, format: need.choice(['HTML', 'PDF'], 'The format.') },
  output: {
    ...itemOutputs,
    originalName: out.text('The name of the file in SharePoint.'),
    name: out.text('The name of the exported file.'),
    uri: out.text('The file in internal storage.'),
    originalSize: out.integer('The size of the file in SharePoint, in bytes.'),
    format: out.text('The format.'),
  },
  run: async (client, input) => {
    const drive = driveOf(input);
    const item = await findItem(client, drive, input);
    const format = input.format.toLowerCase();
    const originalName = textOf(item.name) ?? 'export';
    const name = `${originalName.replace(/\.[^.]*$/, '')}.${format}`;
    const path = `${itemPath(drive, String(item.id))}/content`;
    const { uri } = await client.download({ path, query: { format } }, name);
    return {
      itemId: item.id,
      originalName,
      name,
      uri,
      originalSize: item.size,
      webUrl: item.webUrl,
      format: input.format,
    };
  },
  example: { itemPath: '/Reports/2026.docx', format: 'PDF' },
});

const list = sharepoint.task({
  type: 'List',
  title: 'List a folder of SharePoint',
  description: 'Lists the files and folders in a folder of a document library.',
  properties: { folderId: preset.text('root', 'The id of the folder.') },
  request: (input) => `GET ${itemPath(driveOf(input), input.folderId)}/children`,
  rows: {
    at: 'value',
    paging: { kind: 'nextUrl', at: '@odata.nextLink' },
    names: { rows: 'items', row: 'item' },
    metric: 'count',
    map: ({ id, name, size, createdDateTime, lastModifiedDateTime, webUrl, folder, file }) => ({
      id,
      name,
      size,
      createdDateTime,
      lastModifiedDateTime,
      webUrl,
      isFolder: isMap(folder),
      isFile: isMap(file),
    }),
  },
  example: {},
});

const move = sharepoint.task({
  type: 'Move',
  title: 'Move or rename a file or folder of SharePoint',
  description: 'Moves an item into another folder of the same library, with another name if you like.',
  properties: {
    itemId: need.text('The id of the item.'),
    destinationParentId: need.text('The id of the folder it is moved to.'),
    newName: may.text('Its new name; unchanged when absent.'),
  },
  request: (input) => `PATCH ${itemPath(driveOf(input), input.itemId)}`,
  body: ({ destinationParentId, newName }) => ({
    parentReference: { id: destinationParentId },
    name: newName,
  }),
  output: {
    ...itemOutputs,
    itemName: out.text('The name of the item.', 'name'),
    parentId: out.text('The id of the folder.', 'parentReference.id'),
  },
  example: { itemId: '01ITEM', destinationParentId: '01FOLDER', newName: 'final.docx' },
});

const upload = sharepoint.task({
  type: 'Upload',
  title: 'Upload a file to SharePoint',
  description:
    'Uploads a file of internal storage. A file larger than 4 MiB is sent in slices, with one slice in memory.',
  properties: {
    from: need.file('The file in internal storage.'),
    to: need.text('The name of the file, which may begin with folders.'),
    parentId: preset.text('root', 'The id of the folder.'),
    conflictBehavior: preset.choice(
      ['FAIL', 'REPLACE', 'RENAME'],
      'FAIL',
      'What to do when there is such a file.',
    ),
    chunkSize: preset.integer(
      5_242_880,
      'The size of a slice in bytes, rounded down to a multiple of 327,680.',
    ),
  },
  output: {
    ...itemOutputs,
    name: out.text('The name of the file.'),
    size: out.integer('Its size in bytes.'),
  },
  run: async (client, input, context) => {
    const { id, name, webUrl, size } = await uploadFile(context, client, {
      drive: driveOf(input),
      parentId: input.parentId,
      name: input.to.replace(/^\/+/, ''),
      from: input.from,
      conflictBehavior: input.conflictBehavior,
      thresholdBytes: 4 * 1024 * 1024,
      sliceBytes: input.chunkSize,
      maxTries: 5,
    });
    return { itemId: id, name, webUrl, size };
  },
  example: { from: '{{ inputs.file }}', to: 'report.csv' },
});

export const sharepointTypes = [create, remove, download, exportFile, list, move, upload];
