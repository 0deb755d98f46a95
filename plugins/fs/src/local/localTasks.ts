import {
  defineTask,
  flag,
  integer,
  nameOfUri,
  readFileSources,
  storageUri,
  type TaskDefinition,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import {
  actionIssue,
  actionProperties,
  actionProperty,
  checksumProperties,
  choiceProperties,
  disposeOf,
  storeChecked,
} from '../remote/download.ts';
import { exampleFlow } from '../remote/example.ts';
import { sortProperty } from '../remote/list.ts';
import { joinPath, nameOf, pathMatcher, toServerPath } from '../remote/remoteFiles.ts';
import { LocalFiles } from './localFiles.ts';
import { localFileOutput, toLocalOutput } from './localOutput.ts';
import {
  chooseLocal,
  copyLocal,
  deleteLocal,
  fileUri,
  makeRoom,
  missingLocal,
  moveLocal,
  targetOf,
} from './localWork.ts';

const local = { name: 'local', example: [] };
const allowed = 'Only folders that the configuration of the server opens with `allowedPaths` can be used.';
const overwrite = (isDefault: boolean) =>
  flag().default(isDefault).describe('Replace a file that exists; otherwise the task fails.');
const pathProperty = (what: string) => text().describe(`${what}, as a full path on the worker.`);

const upload = defineTask({
  type: 'fs.local.Upload',
  title: 'Write a stored file to a folder of the worker',
  description: `Copies a file of internal storage to the worker. ${allowed}`,
  input: () =>
    z.object({
      from: storageUri().describe('The file in internal storage.'),
      to: text().optional().describe('The target, as a full path; a folder when it ends with `/`.'),
      overwrite: overwrite(true),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file on the worker.'),
      size: z.number().describe('Its size in bytes.'),
    }),
  sideEffects: true,
  examples: [
    exampleFlow(local, 'Upload', 'Write a file to a shared folder.', {
      inputs: '  - id: file\n    type: FILE',
      lines: ['from: "{{ inputs.file }}"', 'to: /data/outbox/report.csv'],
    }),
  ],
  async run(context, { from, to, overwrite: replaces }) {
    const files = new LocalFiles(context, 'fs.local.Upload');
    const target = await targetOf(files, nameOfUri(from), to ?? nameOfUri(from));
    await makeRoom(files, target, replaces);
    await files.write(target, await context.files.read(from));
    return { uri: fileUri(target), size: (await files.stat(target))?.size ?? 0 };
  },
});

const uploads = defineTask({
  type: 'fs.local.Uploads',
  title: 'Write stored files to a folder of the worker',
  description: `Copies files of internal storage to a folder of the worker. ${allowed}`,
  input: () =>
    z.object({
      from: z
        .unknown()
        .refine((value) => value !== undefined, 'must be given')
        .describe('The files: a URI, a list of URIs, or a map from name to URI.'),
      to: pathProperty('The folder'),
      regExp: text().optional().describe('Only files whose name matches this regular expression.'),
      maxFiles: integer({ min: 1 }).default(25).describe('The most files that are written.'),
      overwrite: overwrite(true),
    }),
  output: () => z.object({ files: z.array(z.string()).describe('The files on the worker.') }),
  sideEffects: true,
  examples: [
    exampleFlow(local, 'Uploads', 'Write two files to a shared folder.', {
      inputs: '  - id: first\n    type: FILE\n  - id: second\n    type: FILE',
      lines: ['from:', '  - "{{ inputs.first }}"', '  - "{{ inputs.second }}"', 'to: /data/outbox'],
    }),
  ],
  async run(context, { from, to, regExp, maxFiles, overwrite: replaces }) {
    const files = new LocalFiles(context, 'fs.local.Uploads');
    const matches = pathMatcher(regExp);
    const sources = readFileSources(from).filter(({ name }) => matches(name));
    if (sources.length > maxFiles)
      await context.log('WARN', `Only ${maxFiles} of ${sources.length} files are written: see "maxFiles".`);
    const written: string[] = [];
    for (const { name, uri } of sources.slice(0, maxFiles)) {
      const target = joinPath(toServerPath(to), name);
      await makeRoom(files, target, replaces);
      await files.write(target, await context.files.read(uri));
      written.push(fileUri(target));
    }
    return { files: written };
  },
});

const download = defineTask({
  type: 'fs.local.Download',
  title: 'Store a file of the worker',
  description: `Copies a file of the worker to internal storage. ${allowed}`,
  input: () => z.object({ from: pathProperty('The file'), ...checksumProperties }),
  output: () =>
    z.object({
      uri: z.string().describe('The file in internal storage.'),
      size: z.number().describe('Its size in bytes.'),
      checksum: z.string().describe('The checksum of the content.'),
    }),
  sideEffects: true,
  examples: [
    exampleFlow(local, 'Download', 'Read a file of a shared folder.', {
      lines: ['from: /data/inbox/orders.csv'],
    }),
  ],
  async run(context, { from, ...checksum }) {
    const files = new LocalFiles(context, 'fs.local.Download');
    const path = toServerPath(from);
    const file = await files.stat(path);
    if (!file || file.isFolder) throw missingLocal(path);
    const stored = await storeChecked(context, nameOf(path), files.read(path), checksum);
    return { uri: stored.uri, size: file.size, checksum: stored.checksum };
  },
});

const downloads = defineTask({
  type: 'fs.local.Downloads',
  title: 'Store files of a folder of the worker',
  description: `Copies the files of a folder to internal storage, and may then move or delete them. ${allowed}`,
  check: actionIssue,
  input: () =>
    z.object({
      from: pathProperty('The folder'),
      action: actionProperty().default('NONE'),
      ...actionProperties,
      ...choiceProperties,
    }),
  output: () =>
    z.object({
      files: z.array(localFileOutput).describe('The stored files.'),
      outputFiles: z.record(z.string(), z.string()).describe('From file name to URI in internal storage.'),
    }),
  sideEffects: true,
  examples: [
    exampleFlow(local, 'Downloads', 'Read all CSV files of a folder.', {
      lines: ['from: /data/inbox', "regExp: '.*\\.csv'"],
    }),
  ],
  async run(context, { action, moveDirectory, ...choice }) {
    const files = new LocalFiles(context, 'fs.local.Downloads');
    const chosen = await chooseLocal(context, files, choice);
    if (!chosen) throw missingLocal(choice.from);
    const outputs = [];
    const outputFiles: Record<string, string> = {};
    for (const file of chosen) {
      const uri = await context.files.put(file.name, files.read(file.path));
      outputs.push(toLocalOutput(file, uri));
      outputFiles[Object.hasOwn(outputFiles, file.name) ? file.path : file.name] = uri;
      await disposeOf(files, file, action, moveDirectory);
    }
    return { files: outputs, outputFiles };
  },
});

const list = defineTask({
  type: 'fs.local.List',
  title: 'List files of a folder of the worker',
  description: `Returns the files of a folder of the worker. ${allowed}`,
  input: () => z.object({ from: pathProperty('The folder'), ...choiceProperties, sort: sortProperty() }),
  output: () =>
    z.object({
      files: z.array(localFileOutput).describe('The files.'),
      count: z.number().describe('How many files are returned.'),
    }),
  sideEffects: true,
  examples: [exampleFlow(local, 'List', 'List the files of a folder.', { lines: ['from: /data/inbox'] })],
  async run(context, choice) {
    const chosen = await chooseLocal(context, new LocalFiles(context, 'fs.local.List'), choice);
    if (!chosen) throw missingLocal(choice.from);
    return { files: chosen.map((file) => toLocalOutput(file, fileUri(file.path))), count: chosen.length };
  },
});

const defineTransfer = (name: 'Copy' | 'Move'): TaskDefinition =>
  defineTask({
    type: `fs.local.${name}`,
    title: `${name} a file of the worker`,
    description: `${name === 'Copy' ? 'Copies' : 'Moves'} a file or a folder of the worker. A target that ends with \`/\`, or is a folder, keeps the name. ${allowed}`,
    input: () =>
      z.object({
        from: pathProperty('The file'),
        to: pathProperty('The target'),
        overwrite: overwrite(false),
      }),
    output: () => z.object({}),
    sideEffects: true,
    examples: [
      exampleFlow(local, name, `${name} a file.`, {
        lines: ['from: /data/inbox/orders.csv', 'to: /data/archive/'],
      }),
    ],
    async run(context, { from, to, overwrite: replaces }) {
      const files = new LocalFiles(context, `fs.local.${name}`);
      const source = await files.stat(toServerPath(from));
      if (!source) throw missingLocal(from);
      const target = await targetOf(files, source.path, to);
      await makeRoom(files, target, replaces);
      await (name === 'Copy' ? copyLocal : moveLocal)(files, source, target);
      return {};
    },
  });

const remove = defineTask({
  type: 'fs.local.Delete',
  title: 'Delete files of the worker',
  description: `Deletes a file. A folder is deleted with \`recursive\`; with \`regExp\` the matching files of a folder are deleted. ${allowed}`,
  input: () =>
    z.object({
      from: pathProperty('The file or folder'),
      errorOnMissing: flag().default(false).describe('Fail when there is nothing to delete.'),
      regExp: text().optional().describe('Only files whose whole path matches this regular expression.'),
      recursive: flag().default(false).describe('Delete folders with everything in them.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The path that was given.'),
      deleted: z.boolean().describe('Whether something was deleted.'),
      uris: z.array(z.string()).describe('The deleted files.'),
    }),
  sideEffects: true,
  examples: [exampleFlow(local, 'Delete', 'Delete a file.', { lines: ['from: /data/archive/orders.csv'] })],
  run: (context, { from, ...options }) =>
    deleteLocal(new LocalFiles(context, 'fs.local.Delete'), { path: from, ...options }),
});

export const localTasks: readonly TaskDefinition[] = [
  upload,
  uploads,
  download,
  downloads,
  list,
  defineTransfer('Copy'),
  defineTransfer('Move'),
  remove,
];
