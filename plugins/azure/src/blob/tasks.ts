import {
  choice,
  collect,
  type Definition,
  dateTime,
  defineTask,
  flag,
  inParallel,
  integer,
  listOf,
  mapOf,
  part,
  readFileSources,
  someValue,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';
import { Storage, storageProperties } from '../client/storage.ts';
import {
  addressOf,
  type BlobOutput,
  blobOutput,
  copyBlob,
  deleteBlob,
  disposeOf,
  downloadBlob,
  filesOf,
  listBlobs,
  placeOf,
  readBlob,
  toBlobOutput,
  uploadBlob,
} from './blobs.ts';
import {
  actionProperty,
  checksumProperties,
  containerProperty,
  expectedChecksumProperties,
  listProperties,
  maxFiles,
  moveIssue,
  moveToProperty,
  placeProperty,
} from './properties.ts';
import { blobPermissions, signBlob } from './sharedAccess.ts';
import { blobTrigger } from './trigger.ts';

const nameProperty = () => text().describe('The name of the blob.');
const output = () => z.object({ blob: blobOutput.describe('The blob.') });

const tiers = [
  'P4',
  'P6',
  'P10',
  'P15',
  'P20',
  'P30',
  'P40',
  'P50',
  'P60',
  'P70',
  'P80',
  'HOT',
  'COOL',
  'ARCHIVE',
] as const;
const titleCase = (word: string) =>
  word.startsWith('P') ? word : word.charAt(0) + word.slice(1).toLowerCase();

const upload = defineTask({
  type: 'azure.storage.blob.Upload',
  title: 'Upload files to Blob Storage',
  description:
    'Stores files of internal storage in a container, whatever their size. A single file gets exactly the name; several files are stored below it as `<name>/<file>`.',
  input: () =>
    z.object({
      ...storageProperties,
      container: containerProperty(),
      name: text().describe('The name of a single file, or the folder of several.'),
      from: someValue()
        .describe('A file in internal storage, a list of them, or a map from name to file.')
        .meta({ $internalStorageURI: true }),
      metadata: mapOf(text()).optional().describe('Metadata that is kept with the blob.'),
      tags: mapOf(text()).optional().describe('Tags by which blobs are found.'),
      accessTier: choice(tiers).optional().describe('The access tier.'),
      legalHold: flag().optional().describe('Whether there is a legal hold.'),
      immutabilityPolicy: part({
        expiryTime: dateTime().optional().describe('Until when the blob cannot be changed.'),
        policyMode: choice(['UNLOCKED', 'LOCKED', 'MUTABLE'])
          .optional()
          .describe('Whether the policy can be changed.'),
      })
        .optional()
        .describe('Keeps the blob from changes.'),
      validateChecksum: flag().optional().describe('Let Azure check the content that arrives.'),
    }),
  output: () =>
    z.object({
      blob: blobOutput.optional().describe('The blob, of a single file.'),
      blobs: z.array(blobOutput).optional().describe('The blobs, of several files.'),
    }),
  metrics: [{ name: 'file.size', type: 'counter', unit: 'bytes', description: 'The size of a file.' }],
  sideEffects: true,
  examples: [
    taskExample(
      'azure.storage.blob.Upload',
      'Store a file.',
      ['container: reports', 'name: today.csv', 'from: "{{ inputs.file }}"'],
      true,
    ),
  ],
  async run(context, { container, name, from, ...input }) {
    const storage = new Storage(context, input, 'blob');
    const sources = readFileSources(from);
    const metadata = Object.entries(input.metadata ?? {}).map(([key, value]) => [`x-ms-meta-${key}`, value]);
    const headers = {
      ...Object.fromEntries(metadata),
      'x-ms-tags': input.tags && new URLSearchParams(input.tags).toString(),
      'x-ms-access-tier': input.accessTier && titleCase(input.accessTier),
      'x-ms-legal-hold': input.legalHold === undefined ? undefined : String(input.legalHold),
      'x-ms-immutability-policy-until-date':
        input.immutabilityPolicy?.expiryTime && new Date(input.immutabilityPolicy.expiryTime).toUTCString(),
      'x-ms-immutability-policy-mode': input.immutabilityPolicy?.policyMode?.toLowerCase(),
    };
    const folder = name.replace(/\/+$/, '');
    const blobs: BlobOutput[] = [];
    for (const source of sources) {
      const place = { container, name: sources.length === 1 ? name : `${folder}/${source.name}` };
      const content = await context.files.read(source.uri);
      const size = await uploadBlob(storage, place, content, headers, input.validateChecksum);
      context.metric({ name: 'file.size', type: 'counter', value: size });
      blobs.push(toBlobOutput(await readBlob(storage, place), addressOf(place)));
    }
    const [first] = blobs;
    return sources.length === 1 && first ? { blob: first } : { blobs };
  },
});

const download = defineTask({
  type: 'azure.storage.blob.Download',
  title: 'Download a file from Blob Storage',
  description: 'Copies a blob to internal storage, whatever its size.',
  input: () =>
    z.object({
      ...storageProperties,
      container: containerProperty(),
      name: nameProperty(),
      ...checksumProperties,
      ...expectedChecksumProperties,
    }),
  output,
  sideEffects: true,
  examples: [
    taskExample('azure.storage.blob.Download', 'Fetch a file.', ['container: reports', 'name: today.csv']),
  ],
  async run(context, { container, name, ...input }) {
    return { blob: await downloadBlob(new Storage(context, input, 'blob'), { container, name }, input) };
  },
});

const downloads = defineTask({
  type: 'azure.storage.blob.Downloads',
  title: 'Download all blobs of a folder',
  description:
    'Copies blobs to internal storage, at most `maxFiles`, and then moves them, deletes them or leaves them. The first one is moved only after the last one is stored.',
  check: moveIssue,
  input: () =>
    z.object({
      ...storageProperties,
      container: containerProperty(),
      ...listProperties,
      action: actionProperty(),
      moveTo: moveToProperty(),
      ...checksumProperties,
      maxFiles,
    }),
  output: () =>
    z.object({
      blobs: z.array(blobOutput).describe('The blobs that were stored.'),
      outputFiles: z.record(z.string(), z.string()).describe('The stored files by name.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.blob.Downloads', 'Fetch what is in a folder and clear it.', [
      'container: inbox',
      'prefix: orders/',
      'action: DELETE',
    ]),
  ],
  async run(context, { maxFiles: limit, action, moveTo, ...input }) {
    const storage = new Storage(context, input, 'blob');
    const entries = await collect(filesOf(listBlobs(storage, input)), limit);
    const blobs: BlobOutput[] = [];
    for (const entry of entries) blobs.push(await downloadBlob(storage, placeOf(entry), input));
    for (const entry of entries) await disposeOf(storage, placeOf(entry), action, moveTo);
    return { blobs, outputFiles: Object.fromEntries(blobs.map(({ name, uri }) => [name, uri])) };
  },
});

const list = defineTask({
  type: 'azure.storage.blob.List',
  title: 'List the blobs of a container',
  description: 'Returns the blobs of a container in the order of their names, at most `maxFiles`.',
  input: () =>
    z.object({ ...storageProperties, container: containerProperty(), ...listProperties, maxFiles }),
  output: () => z.object({ blobs: z.array(blobOutput).describe('The blobs.') }),
  metrics: [{ name: 'blobs.count', type: 'counter', description: 'How many blobs were found.' }],
  sideEffects: true,
  examples: [
    taskExample('azure.storage.blob.List', 'List a folder.', ['container: reports', 'prefix: 2026/']),
  ],
  async run(context, { maxFiles: limit, ...input }) {
    const storage = new Storage(context, input, 'blob');
    const found = await collect(listBlobs(storage, input), limit);
    context.metric({ name: 'blobs.count', type: 'counter', value: found.length });
    return { blobs: found.map((entry) => toBlobOutput(entry, addressOf(entry))) };
  },
});

const remove = defineTask({
  type: 'azure.storage.blob.Delete',
  title: 'Delete a blob',
  description:
    'Deletes a blob with its snapshots and returns what it was. One that does not exist fails the task.',
  input: () => z.object({ ...storageProperties, container: containerProperty(), name: nameProperty() }),
  output,
  sideEffects: true,
  examples: [
    taskExample('azure.storage.blob.Delete', 'Delete a file.', ['container: reports', 'name: old.csv']),
  ],
  async run(context, { container, name, ...connection }) {
    const storage = new Storage(context, connection, 'blob');
    const entry = await readBlob(storage, { container, name });
    await deleteBlob(storage, { container, name });
    return { blob: toBlobOutput(entry, addressOf(entry)) };
  },
});

const removeList = defineTask({
  type: 'azure.storage.blob.DeleteList',
  title: 'Delete many blobs',
  description: 'Deletes all blobs that match.',
  input: () =>
    z.object({
      ...storageProperties,
      container: containerProperty(),
      ...listProperties,
      concurrent: integer({ min: 1 })
        .optional()
        .describe('How many blobs are deleted at once; one when absent.'),
      errorOnEmpty: flag().default(false).describe('Fail when there is nothing to delete.'),
    }),
  output: () =>
    z.object({
      count: z.number().describe('How many blobs were deleted.'),
      size: z.number().describe('How large they were together, in bytes.'),
    }),
  metrics: [
    { name: 'blobs.count', type: 'counter', description: 'How many blobs were deleted.' },
    { name: 'blobs.size', type: 'counter', unit: 'bytes', description: 'How large they were.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('azure.storage.blob.DeleteList', 'Clear a folder.', ['container: temporary', 'prefix: day/']),
  ],
  async run(context, { concurrent = 1, errorOnEmpty, ...input }) {
    const storage = new Storage(context, input, 'blob');
    const entries = (await collect(listBlobs(storage, input))).filter(({ lastModified }) => lastModified);
    if (entries.length === 0 && errorOnEmpty)
      throw new TaskFailed('There are no blobs to delete.', { retry: false });
    await inParallel(entries, concurrent, (entry) => deleteBlob(storage, placeOf(entry)));
    const size = entries.reduce((sum, entry) => sum + entry.size, 0);
    context.metric({ name: 'blobs.count', type: 'counter', value: entries.length });
    context.metric({ name: 'blobs.size', type: 'counter', value: size });
    return { count: entries.length, size };
  },
});

const copy = defineTask({
  type: 'azure.storage.blob.Copy',
  title: 'Copy a blob',
  description: 'Copies a blob inside the account, whatever its size, and deletes the original with `delete`.',
  input: () =>
    z.object({
      ...storageProperties,
      from: placeProperty().describe('The blob to copy.'),
      to: placeProperty().describe('Where to.'),
      delete: flag().default(false).describe('Delete the original afterwards.'),
    }),
  output,
  sideEffects: true,
  examples: [
    taskExample('azure.storage.blob.Copy', 'Move a blob.', [
      'from:',
      '  container: inbox',
      '  name: data.csv',
      'to:',
      '  container: archive',
      '  name: 2026/data.csv',
      'delete: true',
    ]),
  ],
  async run(context, { from, to, delete: isMove, ...connection }) {
    const storage = new Storage(context, connection, 'blob');
    await copyBlob(storage, from, to);
    if (isMove) await deleteBlob(storage, from);
    return { blob: toBlobOutput(await readBlob(storage, to), addressOf(to)) };
  },
});

const { sasToken: _, ...keyProperties } = storageProperties;

const sharedAccess = defineTask({
  type: 'azure.storage.blob.SharedAccess',
  title: 'Make an address that opens a blob',
  description:
    'Returns the address of a blob with a signature that is valid until `expirationDate`. The key of the account is needed.',
  input: () =>
    z.object({
      ...keyProperties,
      container: containerProperty(),
      name: nameProperty(),
      expirationDate: dateTime().describe('Until when the address works.'),
      permissions: listOf(choice(blobPermissions), { min: 1 }).describe('What it allows.'),
    }),
  output: () => z.object({ uri: z.string().describe('The address.') }),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.blob.SharedAccess', 'Share a file for a day.', [
      'container: reports',
      'name: today.csv',
      'expirationDate: "{{ now() | dateAdd(1, \'DAYS\') }}"',
      'permissions:',
      '  - READ',
    ]),
  ],
  run: (context, { container, name, expirationDate, permissions, ...connection }) => {
    const storage = new Storage(context, connection, 'blob');
    return { uri: signBlob(storage, { container, name }, permissions, new Date(expirationDate)) };
  },
});

export const blobTypes: readonly Definition[] = [
  upload,
  download,
  downloads,
  list,
  copy,
  remove,
  removeList,
  sharedAccess,
  blobTrigger,
];
