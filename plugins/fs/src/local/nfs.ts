import { readFile } from 'node:fs/promises';
import {
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  flag,
  type TaskContext,
  type TaskDefinition,
  text,
  toAllowedPath,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { choiceProperties } from '../remote/download.ts';
import { exampleFlow } from '../remote/example.ts';
import { sortProperty } from '../remote/list.ts';
import { toServerPath } from '../remote/remoteFiles.ts';
import { type LocalFile, LocalFiles } from './localFiles.ts';
import { takeChanged } from './localTrigger.ts';
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

const nfs = { name: 'nfs', example: [] };
const allowed =
  'The share must be mounted on the worker, in a folder that the configuration of the server opens with `allowedPaths`.';

const fileOutput = z.object({
  name: z.string().describe('The name of the file.'),
  uri: z.string().describe('The file, as `file://…`.'),
  localPath: z.string().describe('The path on the worker.'),
  isDirectory: z.boolean().describe('Whether it is a folder.'),
  isSymbolicLink: z.boolean().describe('Whether it is a link.'),
  isHidden: z.boolean().describe('Whether its name begins with a dot.'),
  size: z.number().describe('The size in bytes.'),
  creationTime: z.string().describe('When it was created.'),
  lastAccessTime: z.string().describe('When it was read last.'),
  lastModifiedTime: z.string().describe('When it was changed last.'),
});

const toOutput = (file: LocalFile): z.infer<typeof fileOutput> => ({
  name: file.name,
  uri: fileUri(file.path),
  localPath: file.path,
  isDirectory: file.isFolder,
  isSymbolicLink: file.isLink,
  isHidden: file.name.startsWith('.'),
  size: file.size,
  creationTime: file.createdAt.toISOString(),
  lastAccessTime: file.accessedAt.toISOString(),
  lastModifiedTime: file.modifiedAt.toISOString(),
});

const checkMount = defineTask({
  type: 'fs.nfs.CheckMount',
  title: 'Check whether a folder is an NFS share',
  description: `Returns the kind of file system of a folder of the worker. ${allowed}`,
  input: () => z.object({ path: text().describe('The folder, as a full path on the worker.') }),
  output: () =>
    z.object({
      path: z.string().describe('The folder.'),
      isNfsMount: z.boolean().describe('Whether it is an NFS share.'),
      fileStoreType: z.string().describe('The kind of file system, such as `nfs4` or `ext4`.'),
    }),
  sideEffects: true,
  examples: [exampleFlow(nfs, 'CheckMount', 'Check a share.', { lines: ['path: /mnt/share'] })],
  async run(context, { path }) {
    const type = await fileSystemOf(await toAllowedPath(context, path, 'fs.nfs.CheckMount'));
    return { path, isNfsMount: type.startsWith('nfs'), fileStoreType: type };
  },
});

/** The kind of the innermost mount that holds the path; only Linux lists its mounts in a file. */
async function fileSystemOf(path: string): Promise<string> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  const found = mounts.split('\n').flatMap((line) => {
    const [, folder = '', type = ''] = line.split(' ');
    const root = folder.replaceAll('\\040', ' ');
    const isInside = path === root || path.startsWith(root === '/' ? '/' : `${root}/`);
    return isInside ? [{ length: root.length, type }] : [];
  });
  return found.sort((a, b) => a.length - b.length).at(-1)?.type ?? 'unknown';
}

const list = defineTask({
  type: 'fs.nfs.List',
  title: 'List files of an NFS share',
  description: `Returns the files of a folder. ${allowed}`,
  input: () =>
    z.object({
      from: text().describe('The folder, as a full path on the worker.'),
      ...choiceProperties,
      sort: sortProperty(),
    }),
  output: () => z.object({ files: z.array(fileOutput).describe('The files.') }),
  sideEffects: true,
  examples: [exampleFlow(nfs, 'List', 'List the files of a share.', { lines: ['from: /mnt/share'] })],
  async run(context, choice) {
    const chosen = await chooseLocal(context, new LocalFiles(context, 'fs.nfs.List'), choice);
    if (!chosen) throw missingLocal(choice.from);
    return { files: chosen.map(toOutput) };
  },
});

const defineTransfer = (name: 'Copy' | 'Move'): TaskDefinition =>
  defineTask({
    type: `fs.nfs.${name}`,
    title: `${name} a file of an NFS share`,
    description: `${name === 'Copy' ? 'Copies' : 'Moves'} a file or a folder; an existing file is replaced. ${allowed}`,
    input: () =>
      z.object({
        from: text().describe('The file, as a full path on the worker.'),
        to: text().describe('The target, as a full path; a folder when it ends with `/`.'),
      }),
    output: () =>
      z.object({ from: z.string().describe('The old file.'), to: z.string().describe('The new file.') }),
    sideEffects: true,
    examples: [
      exampleFlow(nfs, name, `${name} a file.`, {
        lines: ['from: /mnt/share/a.csv', 'to: /mnt/share/done/'],
      }),
    ],
    async run(context: TaskContext, { from, to }) {
      const files = new LocalFiles(context, `fs.nfs.${name}`);
      const source = await files.stat(toServerPath(from));
      if (!source) throw missingLocal(from);
      const target = await targetOf(files, source.path, to);
      await makeRoom(files, target, true);
      await (name === 'Copy' ? copyLocal : moveLocal)(files, source, target);
      return { from: fileUri(source.path), to: fileUri(target) };
    },
  });

const remove = defineTask({
  type: 'fs.nfs.Delete',
  title: 'Delete files of an NFS share',
  description: `Deletes a file. A folder is deleted with \`recursive\`; with \`regExp\` the matching files of a folder are deleted. ${allowed}`,
  input: () =>
    z.object({
      uri: text().describe('The file or folder, as a full path on the worker.'),
      errorOnMissing: flag().default(true).describe('Fail when there is nothing to delete.'),
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
  examples: [exampleFlow(nfs, 'Delete', 'Delete a file.', { lines: ['uri: /mnt/share/done/a.csv'] })],
  run: (context, { uri, ...options }) =>
    deleteLocal(new LocalFiles(context, 'fs.nfs.Delete'), { path: uri, ...options }),
});

const trigger = defineTrigger({
  type: 'fs.nfs.Trigger',
  role: 'polling',
  title: 'Start when files arrive on an NFS share',
  description: `Looks into a folder every \`interval\` and starts one execution for all files that are new or have changed. The files stay where they are. ${allowed}`,
  input: () =>
    z.object({
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      from: text().describe('The folder, as a full path on the worker.'),
      ...choiceProperties,
      ...triggerStateProperties,
    }),
  output: () =>
    z.object({
      files: z
        .array(
          z.object({
            file: fileOutput.describe('The file.'),
            changeType: z.enum(['CREATE', 'UPDATE']).describe('Whether the file is new or has changed.'),
          }),
        )
        .describe('The files.'),
    }),
  examples: [
    {
      title: 'When a file arrives.',
      runs: false,
      code: `id: nfs_files
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.files | jq('.[].file.localPath') }}"

triggers:
  - id: watch
    type: fs.nfs.Trigger
    from: /mnt/share/inbox
`,
    },
  ],
  async poll(context, { from, regExp, recursive, maxFiles, on, stateKey, stateTtl }) {
    const files = new LocalFiles(context, 'fs.nfs.Trigger');
    const chosen = (await chooseLocal(context, files, { from, regExp, recursive })) ?? [];
    const { taken, save } = await takeChanged(context, chosen, { on, stateKey, stateTtl }, maxFiles);
    await save();
    if (taken.length === 0) return undefined;
    return { files: taken.map(({ file, changeType }) => ({ file: toOutput(file), changeType })) };
  },
});

export const nfsTypes: readonly Definition[] = [
  checkMount,
  list,
  defineTransfer('Copy'),
  defineTransfer('Move'),
  remove,
  trigger,
];
