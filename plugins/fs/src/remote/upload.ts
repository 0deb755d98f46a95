import {
  defineTask,
  flag,
  integer,
  nameOfUri,
  readFileSources,
  storageUri,
  type TaskContext,
  type TaskDefinition,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { exampleFlow } from './example.ts';
import { type Protocol, toUri, withFiles } from './protocol.ts';
import {
  joinPath,
  makeFolders,
  parentOf,
  pathMatcher,
  type RemoteFiles,
  toServerPath,
} from './remoteFiles.ts';

const overwriteProperty = (isDefault: boolean) =>
  flag().default(isDefault).describe('Replace a file that exists; otherwise the task fails.');

export function defineUpload(protocol: Protocol): TaskDefinition {
  return defineTask({
    type: `fs.${protocol.name}.Upload`,
    title: `Upload a file to an ${protocol.title}`,
    description: 'Copies a file of internal storage to the server. Missing folders are created.',
    input: () =>
      z.object({
        ...protocol.properties,
        from: storageUri().describe('The file in internal storage.'),
        to: text().optional().describe('The path on the server; the name of the file when absent.'),
        overwrite: overwriteProperty(protocol.overwrites),
      }),
    output: () =>
      z.object({
        from: z.string().describe('The file in internal storage.'),
        to: z.string().describe('The address of the file on the server.'),
      }),
    sideEffects: true,
    examples: [
      exampleFlow(protocol, 'Upload', 'Upload a file that was given to the execution.', {
        inputs: '  - id: file\n    type: FILE',
        lines: [`from: "{{ inputs.file }}"`, `to: ${protocol.exampleFolder}/data.csv`],
      }),
    ],
    run: (context, { from, to, overwrite, ...connection }) =>
      withFiles(protocol, context, connection, async (files) => {
        const path = toServerPath(to ?? nameOfUri(from));
        await upload(context, files, { from, path, overwrite });
        return { from, to: toUri(protocol, connection, path) };
      }),
  });
}

export function defineUploads(protocol: Protocol): TaskDefinition {
  return defineTask({
    type: `fs.${protocol.name}.Uploads`,
    title: `Upload files to an ${protocol.title}`,
    description: 'Copies files of internal storage to a folder of the server. Missing folders are created.',
    input: () =>
      z.object({
        ...protocol.properties,
        from: z
          .unknown()
          .refine((value) => value !== undefined, 'must be given')
          .describe('The files: a URI, a list of URIs, or a map from name to URI.'),
        to: text().describe('The folder on the server.'),
        regExp: text().optional().describe('Only files whose name matches this regular expression.'),
        maxFiles: integer({ min: 1 }).default(25).describe('The most files that are uploaded.'),
        overwrite: overwriteProperty(protocol.overwrites),
      }),
    output: () =>
      z.object({ files: z.array(z.string()).describe('The addresses of the files on the server.') }),
    sideEffects: true,
    examples: [
      exampleFlow(protocol, 'Uploads', 'Upload two files.', {
        inputs: '  - id: first\n    type: FILE\n  - id: second\n    type: FILE',
        lines: [
          'from:',
          '  - "{{ inputs.first }}"',
          '  - "{{ inputs.second }}"',
          `to: ${protocol.exampleFolder}`,
        ],
      }),
    ],
    async run(context, { from, to, regExp, maxFiles, overwrite, ...connection }) {
      const matches = pathMatcher(regExp);
      const sources = readFileSources(from).filter(({ name }) => matches(name));
      if (sources.length > maxFiles)
        await context.log(
          'WARN',
          `Only ${maxFiles} of ${sources.length} files are uploaded: see "maxFiles".`,
        );
      return withFiles(protocol, context, connection, async (files) => {
        const folder = toServerPath(to);
        const uploaded: string[] = [];
        for (const { name, uri } of sources.slice(0, maxFiles)) {
          const path = joinPath(folder, name);
          await upload(context, files, { from: uri, path, overwrite });
          uploaded.push(toUri(protocol, connection, path));
        }
        return { files: uploaded };
      });
    },
  });
}

interface Upload {
  readonly from: string;
  readonly path: string;
  readonly overwrite: boolean;
}

async function upload(
  context: TaskContext,
  files: RemoteFiles,
  { from, path, overwrite }: Upload,
): Promise<void> {
  const existing = await files.stat(path);
  if (existing?.isFolder) throw new TaskFailed(`"${path}" is a folder of the server.`, { retry: false });
  if (existing && !overwrite)
    throw new TaskFailed(`The file "${path}" exists on the server; set "overwrite" to replace it.`, {
      retry: false,
    });
  if (!existing) await makeFolders(files, parentOf(path));
  await files.write(path, await context.files.read(from));
  await context.log('DEBUG', `Uploaded ${path}.`);
}
