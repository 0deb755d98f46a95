import { createHash } from 'node:crypto';
import {
  choice,
  defineTask,
  flag,
  integer,
  type TaskContext,
  type TaskDefinition,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { exampleFlow } from './example.ts';
import { fileOutput, missing, type Protocol, toOutput, toUri, withFiles } from './protocol.ts';
import {
  joinPath,
  listFiles,
  makeFolders,
  nameOf,
  pathMatcher,
  type RemoteFile,
  type RemoteFiles,
  toServerPath,
} from './remoteFiles.ts';

const algorithms = { MD5: 'md5', SHA_1: 'sha1', SHA_256: 'sha256', SHA_512: 'sha512' } as const;

export const checksumProperties = {
  validateChecksum: flag().default(false).describe('Fail unless the checksum is `checksumExpected`.'),
  checksumExpected: text().optional().describe('The expected checksum, in hexadecimal digits.'),
  checksumAlgorithm: choice(['MD5', 'SHA_1', 'SHA_256', 'SHA_512'])
    .default('SHA_256')
    .describe('How the checksum is computed.'),
};

interface ChecksumInput {
  readonly validateChecksum: boolean;
  readonly checksumExpected?: string | undefined;
  readonly checksumAlgorithm: keyof typeof algorithms;
}

/** Stores the content and returns its checksum; a wrong one leaves no file behind. */
export async function storeChecked(
  context: TaskContext,
  name: string,
  content: AsyncIterable<Uint8Array>,
  { validateChecksum, checksumExpected, checksumAlgorithm }: ChecksumInput,
): Promise<{ uri: string; checksum: string }> {
  if (validateChecksum && checksumExpected === undefined)
    throw new TaskFailed('"validateChecksum" needs "checksumExpected".', { retry: false });
  const hash = createHash(algorithms[checksumAlgorithm]);
  let checksum = '';
  const uri = await context.files.put(
    name,
    (async function* () {
      for await (const chunk of content) {
        hash.update(chunk);
        yield chunk;
      }
      checksum = hash.digest('hex');
      if (validateChecksum && checksum !== checksumExpected?.trim().toLowerCase())
        throw new TaskFailed(
          `The ${checksumAlgorithm} checksum of "${name}" is ${checksum}, but ${checksumExpected} was expected.`,
        );
    })(),
  );
  return { uri, checksum };
}

export function defineDownload(protocol: Protocol): TaskDefinition {
  return defineTask({
    type: `fs.${protocol.name}.Download`,
    title: `Download a file from an ${protocol.title}`,
    description: 'Copies a file of the server to internal storage, whatever its size.',
    input: () =>
      z.object({
        ...protocol.properties,
        from: text().describe('The path on the server.'),
        ...checksumProperties,
      }),
    output: () =>
      z.object({
        from: z.string().describe('The address of the file on the server.'),
        to: z.string().describe('The file in internal storage.'),
        checksum: z.string().describe('The checksum of the content.'),
      }),
    sideEffects: true,
    examples: [
      exampleFlow(protocol, 'Download', 'Download a file and log its URI.', {
        lines: [`from: ${protocol.exampleFolder}/data.csv`],
        then: '  - id: show\n    type: core.log.Log\n    message: "{{ outputs.download.to }}"',
      }),
    ],
    run: (context, { from, validateChecksum, checksumExpected, checksumAlgorithm, ...connection }) =>
      withFiles(protocol, context, connection, async (files) => {
        const path = toServerPath(from);
        const file = await files.stat(path);
        if (!file || file.isFolder) throw missing(path, protocol);
        const options = { validateChecksum, checksumExpected, checksumAlgorithm };
        const { uri, checksum } = await storeChecked(context, nameOf(path), files.read(path), options);
        return { from: toUri(protocol, connection, path), to: uri, checksum };
      }),
  });
}

export const choiceProperties = {
  regExp: text()
    .optional()
    .describe('Only files whose whole path matches this regular expression, such as `.*\\.csv`.'),
  recursive: flag().default(false).describe('Also look into sub-folders.'),
  maxFiles: integer({ min: 1 }).default(25).describe('The most files that are taken.'),
};

export const actionProperties = {
  moveDirectory: text().optional().describe('The folder on the server, for the action MOVE.'),
};

export const actionProperty = () =>
  choice(['MOVE', 'DELETE', 'NONE']).describe('What happens to each file on the server after its download.');

export const actionIssue = (properties: Readonly<Record<string, unknown>>) =>
  properties.action === 'MOVE' && properties.moveDirectory === undefined
    ? [{ severity: 'error' as const, path: 'moveDirectory', message: 'must be given for the action MOVE' }]
    : [];

export function defineDownloads(protocol: Protocol): TaskDefinition {
  return defineTask({
    type: `fs.${protocol.name}.Downloads`,
    title: `Download files from an ${protocol.title}`,
    description:
      'Copies the files of a folder of the server to internal storage, and may then move or delete them on the server.',
    check: actionIssue,
    input: () =>
      z.object({
        ...protocol.properties,
        from: text().describe('The folder on the server.'),
        action: actionProperty().optional(),
        ...actionProperties,
        ...choiceProperties,
      }),
    output: () =>
      z.object({
        files: z.array(fileOutput).describe('The downloaded files.'),
        outputFiles: z.record(z.string(), z.string()).describe('From file name to URI in internal storage.'),
      }),
    sideEffects: true,
    examples: [
      exampleFlow(protocol, 'Downloads', 'Download all CSV files and move them on the server.', {
        lines: [
          `from: ${protocol.exampleFolder}/inbox`,
          "regExp: '.*\\.csv'",
          'action: MOVE',
          `moveDirectory: ${protocol.exampleFolder}/archive`,
        ],
      }),
    ],
    run: (context, { from, action, moveDirectory, regExp, recursive, maxFiles, ...connection }) =>
      withFiles(protocol, context, connection, async (files) => {
        const folder = toServerPath(from);
        const found = await listFiles(files, folder, recursive);
        if (!found) throw missing(folder, protocol);
        const matches = pathMatcher(regExp);
        const chosen = found.filter(({ path }) => matches(path));
        if (chosen.length > maxFiles)
          await context.log(
            'WARN',
            `Only ${maxFiles} of ${chosen.length} files are downloaded: see "maxFiles".`,
          );
        const downloaded: z.infer<typeof fileOutput>[] = [];
        const outputFiles: Record<string, string> = {};
        for (const file of chosen.slice(0, maxFiles)) {
          const uri = await context.files.put(file.name, files.read(file.path));
          downloaded.push(toOutput(file, uri));
          // Files of one name in two folders keep their path.
          const key = Object.hasOwn(outputFiles, file.name) ? file.path.slice(folder.length + 1) : file.name;
          outputFiles[key] = uri;
          await disposeOf(files, file, action ?? 'NONE', moveDirectory);
        }
        return { files: downloaded, outputFiles };
      }),
  });
}

/** Moves, deletes or keeps a file on the server after its download. */
export async function disposeOf(
  files: RemoteFiles,
  file: RemoteFile,
  action: 'MOVE' | 'DELETE' | 'NONE',
  moveDirectory: string | undefined,
): Promise<void> {
  if (action === 'DELETE') await files.removeFile(file.path);
  if (action !== 'MOVE') return;
  const folder = toServerPath(moveDirectory ?? '/');
  await makeFolders(files, folder);
  const target = joinPath(folder, file.name);
  if (await files.stat(target)) await files.removeFile(target);
  await files.rename(file.path, target);
}
