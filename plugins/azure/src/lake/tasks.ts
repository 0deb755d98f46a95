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
  storageUri,
  TaskFailed,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { checksumProperties, expectedChecksumProperties } from '../blob/properties.ts';
import { filePermissions, signBlob } from '../blob/sharedAccess.ts';
import { taskExample } from '../client/example.ts';
import { Storage } from '../client/storage.ts';
import {
  deleteFile,
  downloadFile,
  type LakeFile,
  lakeFile,
  listFiles,
  onlyFiles,
  pathOf,
  readProperties,
  uploadFile,
} from './files.ts';
import { directoryPath, fileProperties, lakeProperties, maxFiles } from './properties.ts';
import { lakeTrigger } from './trigger.ts';
import { updateTypes } from './updates.ts';

const output = () => z.object({ file: lakeFile.describe('The file.') });
const aFile = ['fileSystem: raw', 'filePath: orders/today.csv'];
const aDirectory = ['fileSystem: raw', 'directoryPath: orders'];

const upload = defineTask({
  type: 'azure.storage.adls.Upload',
  title: 'Upload a file to Data Lake Storage',
  description:
    'Stores a file of internal storage, whatever its size. Missing directories are created and an existing file is replaced.',
  input: () =>
    z.object({
      ...fileProperties,
      from: storageUri().describe('The file in internal storage.'),
      useLease: flag()
        .optional()
        .describe('Hold a lease while the data is written, so that no other client can change the file.'),
      leaseDurationSeconds: integer({ min: -1, max: 60 })
        .optional()
        .describe(
          'The duration of the lease: 15 to 60 seconds, renewed while data is written, or -1 for no end; 60 when absent.',
        ),
      validateChecksum: flag().optional().describe('Let Azure check the content that arrives.'),
    }),
  output,
  metrics: [{ name: 'file.size', type: 'counter', unit: 'bytes', description: 'The size of the file.' }],
  sideEffects: true,
  examples: [
    taskExample('azure.storage.adls.Upload', 'Store a file.', [...aFile, 'from: "{{ inputs.file }}"'], true),
  ],
  async run(context, { fileSystem, filePath, from, useLease, leaseDurationSeconds, ...input }) {
    const storage = new Storage(context, input, 'dfs');
    const path = { fileSystem, filePath };
    const size = await uploadFile(storage, path, await context.files.read(from), {
      validateChecksum: input.validateChecksum,
      useLease,
      leaseSeconds: leaseDurationSeconds,
    });
    context.metric({ name: 'file.size', type: 'counter', value: size });
    return { file: await readProperties(storage, path) };
  },
});

const read = defineTask({
  type: 'azure.storage.adls.Read',
  title: 'Download a file from Data Lake Storage',
  description: 'Copies a file to internal storage, whatever its size.',
  input: () => z.object({ ...fileProperties, ...checksumProperties, ...expectedChecksumProperties }),
  output,
  sideEffects: true,
  examples: [taskExample('azure.storage.adls.Read', 'Fetch a file.', aFile)],
  async run(context, { fileSystem, filePath, ...input }) {
    const storage = new Storage(context, input, 'dfs');
    return { file: await downloadFile(storage, { fileSystem, filePath }, input) };
  },
});

const reads = defineTask({
  type: 'azure.storage.adls.Reads',
  title: 'Download the files of a directory of Data Lake Storage',
  description: 'Copies the files of a directory to internal storage, at most `maxFiles`.',
  input: () => z.object({ ...lakeProperties, directoryPath, ...checksumProperties, maxFiles }),
  output: () =>
    z.object({
      files: z.array(lakeFile).describe('The files that were stored.'),
      outputFiles: z.record(z.string(), z.string()).describe('The stored files by path.'),
    }),
  sideEffects: true,
  examples: [taskExample('azure.storage.adls.Reads', 'Fetch the files of a directory.', aDirectory)],
  async run(context, { fileSystem, directoryPath: directory, maxFiles: limit, ...input }) {
    const storage = new Storage(context, input, 'dfs');
    const files: LakeFile[] = [];
    for (const entry of await collect(onlyFiles(listFiles(storage, fileSystem, directory)), limit))
      files.push(await downloadFile(storage, pathOf(entry), input));
    return { files, outputFiles: Object.fromEntries(files.map(({ name, uri }) => [name, uri])) };
  },
});

const list = defineTask({
  type: 'azure.storage.adls.List',
  title: 'List a directory of Data Lake Storage',
  description: 'Lists the files and directories of a directory, at most `maxFiles`.',
  input: () => z.object({ ...lakeProperties, directoryPath, maxFiles }),
  output: () => z.object({ files: z.array(lakeFile).describe('The files and directories.') }),
  sideEffects: true,
  examples: [taskExample('azure.storage.adls.List', 'List a directory.', aDirectory)],
  async run(context, { fileSystem, directoryPath: directory, maxFiles: limit, ...input }) {
    const storage = new Storage(context, input, 'dfs');
    return { files: await collect(listFiles(storage, fileSystem, directory), limit) };
  },
});

const remove = defineTask({
  type: 'azure.storage.adls.Delete',
  title: 'Delete a file of Data Lake Storage',
  description: 'Deletes a file and returns its properties. A file that does not exist fails the task.',
  input: () => z.object(fileProperties),
  output,
  sideEffects: true,
  examples: [taskExample('azure.storage.adls.Delete', 'Delete a file.', aFile)],
  async run(context, { fileSystem, filePath, ...input }) {
    const storage = new Storage(context, input, 'dfs');
    const file = await readProperties(storage, { fileSystem, filePath });
    await deleteFile(storage, { fileSystem, filePath });
    return { file };
  },
});

const removeFiles = defineTask({
  type: 'azure.storage.adls.DeleteFiles',
  title: 'Delete the files of a directory of Data Lake Storage',
  description: 'Deletes all files of a directory. The directory and its subdirectories remain.',
  input: () =>
    z.object({
      ...lakeProperties,
      directoryPath,
      concurrent: integer({ min: 1 })
        .optional()
        .describe('The number of files that are deleted at once; one when absent.'),
      errorOnEmpty: flag().default(false).describe('Fail when there is nothing to delete.'),
    }),
  output: () =>
    z.object({
      count: z.number().describe('The number of deleted files.'),
      size: z.number().describe('Their total size in bytes.'),
    }),
  metrics: [
    { name: 'files.count', type: 'counter', description: 'The number of deleted files.' },
    { name: 'files.size', type: 'counter', unit: 'bytes', description: 'Their total size.' },
  ],
  sideEffects: true,
  examples: [taskExample('azure.storage.adls.DeleteFiles', 'Clear a directory.', aDirectory)],
  async run(context, { fileSystem, directoryPath: directory, concurrent = 1, errorOnEmpty, ...input }) {
    const storage = new Storage(context, input, 'dfs');
    const files = await collect(onlyFiles(listFiles(storage, fileSystem, directory)));
    if (files.length === 0 && errorOnEmpty)
      throw new TaskFailed(`There are no files to delete in "${fileSystem}/${directory}".`, { retry: false });
    await inParallel(files, concurrent, async (file) => void (await deleteFile(storage, pathOf(file))));
    const size = files.reduce((sum, file) => sum + file.size, 0);
    context.metric({ name: 'files.count', type: 'counter', value: files.length });
    context.metric({ name: 'files.size', type: 'counter', value: size });
    return { count: files.length, size };
  },
});

const sharedAccess = defineTask({
  type: 'azure.storage.adls.SharedAccess',
  title: 'Make an address that opens a file of Data Lake Storage',
  description:
    'Returns the address of a file with a signature that is valid until `expirationDate`. The key of the account is needed.',
  input: () =>
    z.object({
      ...fileProperties,
      expirationDate: dateTime().describe('Until when the address works.'),
      permissions: listOf(choice(filePermissions), { min: 1 }).describe('What it allows.'),
    }),
  output: () => z.object({ uri: z.string().describe('The address.') }),
  sideEffects: true,
  examples: [
    taskExample('azure.storage.adls.SharedAccess', 'Share a file for a day.', [
      ...aFile,
      'expirationDate: "{{ now() | dateAdd(1, \'DAYS\') }}"',
      'permissions:',
      '  - READ',
    ]),
  ],
  run: (context, { fileSystem, filePath, expirationDate, permissions, ...input }) => {
    const storage = new Storage(context, input, 'dfs');
    const place = { container: fileSystem, name: filePath.replace(/^\/+/, '') };
    return { uri: signBlob(storage, place, permissions, new Date(expirationDate)) };
  },
});

export const lakeTypes: readonly Definition[] = [
  upload,
  read,
  reads,
  list,
  remove,
  removeFiles,
  sharedAccess,
  ...updateTypes,
  lakeTrigger,
];
