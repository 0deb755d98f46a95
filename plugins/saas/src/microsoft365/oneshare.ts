import {
  type Candidate,
  dropMissing,
  isMap,
  type JsonMap,
  mapIn,
  openTriggerState,
  TaskFailed,
  textOf,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { readRows } from '../rest/paging.ts';
import { may, need, type Property, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { createItem, itemPath, uploadFile } from './driveFiles.ts';
import { entraLogin, graphScope, graphUrl, tenant, tenantExample } from './login.ts';

const graph = {
  name: 'Microsoft Graph',
  prefix: 'microsoft365.oneshare',
  baseUrl: graphUrl,
  example: tenantExample,
};

const oneshare = defineService({
  ...graph,
  properties: { ...tenant, driveId: need.text('The id of the drive of OneDrive or SharePoint.') },
  auth: (input) => entraLogin(input, graphScope),
  example: { ...tenantExample, driveId: 'b!drive1' },
});

const drivePath = (driveId: string): string => `/drives/${encodeURIComponent(driveId)}`;

/** A file or folder as the outputs show it. */
const toFile = (item: JsonMap): JsonMap =>
  dropMissing({
    id: item.id,
    name: item.name,
    mimeType: mapIn(item.file).mimeType,
    createdDateTime: item.createdDateTime,
    lastModifiedDateTime: item.lastModifiedDateTime,
    webUrl: item.webUrl,
    size: item.size,
    isFolder: isMap(item.folder),
  });

const file = { file: out.map('The item: `id`, `name`, `mimeType`, dates, `webUrl`, `size`, `isFolder`.') };
const item = { itemId: need.text('The id of the item.') };

const create = oneshare.task({
  type: 'Create',
  title: 'Create a file or folder in OneDrive or SharePoint',
  description:
    'Creates a folder, or a file with a text. A file that is there already is replaced; a folder fails the task.',
  properties: {
    parentId: may.text('The id of the folder; the root when absent.'),
    name: need.text('The name of the item.'),
    itemType: preset.choice(['FILE', 'FOLDER'], 'FILE', 'What to create.'),
    content: may.text('The text of the file.'),
  },
  output: file,
  run: async (client, { driveId, ...input }) => ({
    file: toFile(await createItem(client, drivePath(driveId), input)),
  }),
  example: { name: 'hello.txt', content: 'Hello' },
});

const remove = oneshare.task({
  type: 'Delete',
  title: 'Delete a file or folder of OneDrive or SharePoint',
  description: 'Moves an item to the recycle bin.',
  properties: item,
  request: 'DELETE /drives/{driveId}/items/{itemId}',
  example: { itemId: '01ITEM' },
});

const download = oneshare.task({
  type: 'Download',
  title: 'Download a file from OneDrive or SharePoint',
  description: 'Stores the content of a file in internal storage.',
  properties: item,
  output: { uri: out.text('The file in internal storage.') },
  run: async (client, { driveId, itemId }) => {
    const { uri } = await client.download(
      { path: `${itemPath(drivePath(driveId), itemId)}/content` },
      'download',
    );
    return { uri };
  },
  example: { itemId: '01ITEM' },
});

const exportFile = oneshare.task({
  type: 'Export',
  title: 'Export a file of OneDrive or SharePoint in another format',
  description:
    'Microsoft converts the file, for example a document of Word to PDF, and the task stores the result.',
  properties: { ...item, format: need.choice(['PDF', 'HTML'], 'The format.') },
  output: { uri: out.text('The file in internal storage.') },
  run: async (client, { driveId, itemId, format }) => {
    const extension = format.toLowerCase();
    const path = `${itemPath(drivePath(driveId), itemId)}/content`;
    const { uri } = await client.download({ path, query: { format: extension } }, `export.${extension}`);
    return { uri };
  },
  example: { itemId: '01ITEM', format: 'PDF' },
});

const list = oneshare.task({
  type: 'List',
  title: 'List a folder of OneDrive or SharePoint',
  description: 'Lists the files and folders in a folder.',
  properties: { itemId: may.text('The id of the folder; the root when absent.') },
  output: { files: out.maps('The files and folders.'), count: out.integer('How many there are.') },
  run: async (client, { driveId, itemId }) => {
    const files: JsonMap[] = [];
    const request = { path: `${itemPath(drivePath(driveId), itemId)}/children` };
    const paging = { kind: 'nextUrl', at: '@odata.nextLink' } as const;
    for await (const row of readRows(client, { request, at: 'value', paging })) files.push(toFile(row));
    return { files, count: files.length };
  },
  example: {},
});

const upload = oneshare.task({
  type: 'Upload',
  title: 'Upload a file to OneDrive or SharePoint',
  description:
    'Uploads a file of internal storage. A large file is sent in slices, with one slice in memory.',
  properties: {
    parentId: preset.text('root', 'The id of the folder.'),
    fileName: need.text('The name of the file.'),
    from: need.file('The file in internal storage.'),
    largeFileThreshold: preset.integer(4_194_304, 'Files above this size, in bytes, are sent in slices.'),
    maxSliceSize: preset.integer(
      3_276_800,
      'The size of a slice in bytes, rounded down to a multiple of 327,680.',
    ),
    maxRetryAttempts: preset.integer(5, 'How often a slice is sent before the task fails.'),
    conflictBehavior: preset.choice(
      ['REPLACE', 'FAIL', 'RENAME'],
      'REPLACE',
      'What to do when there is such a file.',
    ),
  },
  metrics: [
    { name: 'file.size', type: 'counter', unit: 'bytes', description: 'The size of the file.' },
    {
      name: 'upload.progress.bytes',
      type: 'counter',
      unit: 'bytes',
      description: 'The bytes that were sent.',
    },
    { name: 'upload.progress.percentage', type: 'counter', description: 'The share that was sent.' },
  ],
  output: file,
  run: async (client, input, context) => {
    let size = 0;
    const stored = await uploadFile(context, client, {
      drive: drivePath(input.driveId),
      parentId: input.parentId,
      name: input.fileName,
      from: input.from,
      conflictBehavior: input.conflictBehavior,
      thresholdBytes: input.largeFileThreshold,
      sliceBytes: input.maxSliceSize,
      maxTries: input.maxRetryAttempts,
      onProgress: (_, all) => {
        size = all;
      },
    });
    context.metric({ name: 'file.size', type: 'counter', value: size });
    context.metric({ name: 'upload.progress.bytes', type: 'counter', value: size });
    context.metric({ name: 'upload.progress.percentage', type: 'counter', value: 100 });
    return { file: toFile(stored) };
  },
  example: { fileName: 'report.csv', from: '{{ inputs.file }}' },
});

const watched = defineService({
  ...graph,
  properties: tenant,
  auth: (input) => entraLogin(input, graphScope),
});

/** The properties of a trigger with a memory, with the default of this family. */
export const triggerState = {
  stateKey: { schema: () => triggerStateProperties.stateKey } as Property<string | undefined>,
  stateTtl: { schema: () => triggerStateProperties.stateTtl } as Property<number | undefined>,
};

const trigger = watched.trigger({
  type: 'Trigger',
  title: 'Start an execution when files appear in OneDrive or SharePoint',
  description:
    'Lists a folder every `interval` and starts one execution for all files that are new or have changed. The files stay where they are.',
  interval: 'PT1M',
  properties: {
    driveId: may.text('The id of the drive; or `siteId`.'),
    siteId: may.text('The id of the SharePoint site, whose default library is watched.'),
    path: need.text('The folder, such as `/Reports`.'),
    on: preset.choice(['CREATE', 'UPDATE', 'CREATE_OR_UPDATE'], 'CREATE', 'Which files start an execution.'),
    ...triggerState,
  },
  output: { files: out.maps('The files.'), count: out.integer('How many there are.') },
  poll: async (client, input, context) => {
    const { driveId, siteId, path } = input;
    if (!driveId && !siteId) throw new TaskFailed('"driveId" or "siteId" must be given.', { retry: false });
    const drive = driveId ? drivePath(driveId) : `/sites/${encodeURIComponent(siteId ?? '')}/drive`;
    const folder = path.split('/').filter(Boolean).map(encodeURIComponent).join('/');
    const request = { path: folder === '' ? `${drive}/root/children` : `${drive}/root:/${folder}:/children` };
    const paging = { kind: 'nextUrl', at: '@odata.nextLink' } as const;
    const candidates: (Candidate & { file: JsonMap })[] = [];
    for await (const row of readRows(client, { request, at: 'value', paging }))
      if (!isMap(row.folder))
        candidates.push({
          uri: String(row.id),
          version: textOf(row.cTag ?? row.eTag) ?? '',
          file: toFile(row),
        });
    const state = await openTriggerState(context, input);
    const changes = state.changes(candidates);
    await state.save();
    if (changes.length === 0) return undefined;
    return { files: changes.map(({ candidate }) => candidate.file), count: changes.length };
  },
  example: { driveId: 'b!drive1', path: '/Reports', interval: 'PT5M' },
});

export const oneshareTypes = [create, remove, download, exportFile, list, upload, trigger];
