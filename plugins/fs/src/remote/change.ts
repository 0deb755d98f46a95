import { defineTask, flag, type TaskDefinition, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { exampleFlow } from './example.ts';
import { missing, type Protocol, toUri, withFiles } from './protocol.ts';
import {
  joinPath,
  listFiles,
  makeFolders,
  nameOf,
  parentOf,
  pathMatcher,
  type RemoteFile,
  type RemoteFiles,
  toServerPath,
} from './remoteFiles.ts';

export function defineMove(protocol: Protocol): TaskDefinition {
  return defineTask({
    type: `fs.${protocol.name}.Move`,
    title: `Move a file on an ${protocol.title}`,
    description:
      'Moves or renames a file or a folder of the server. A target that ends with `/`, or is a folder, keeps the name. Missing folders are created.',
    input: () =>
      z.object({
        ...protocol.properties,
        from: text().describe('The path on the server.'),
        to: text().describe('The new path; a folder when it ends with `/`.'),
        overwrite: flag().default(false).describe('Replace a file that exists; otherwise the task fails.'),
      }),
    output: () =>
      z.object({
        from: z.string().describe('The old address.'),
        to: z.string().describe('The new address.'),
      }),
    sideEffects: true,
    examples: [
      exampleFlow(protocol, 'Move', 'Move a file to another folder.', {
        lines: [`from: ${protocol.exampleFolder}/data.csv`, `to: ${protocol.exampleFolder}/done/`],
      }),
    ],
    run: (context, { from, to, overwrite, ...connection }) =>
      withFiles(protocol, context, connection, async (files) => {
        const source = toServerPath(from);
        if (!(await files.stat(source))) throw missing(source, protocol);
        const folder = toServerPath(to);
        const isFolder = to.endsWith('/') || (await files.stat(folder))?.isFolder === true;
        const target = isFolder ? joinPath(folder, nameOf(source)) : folder;
        if (target !== source) await move(files, source, target, overwrite);
        return { from: toUri(protocol, connection, source), to: toUri(protocol, connection, target) };
      }),
  });
}

async function move(files: RemoteFiles, source: string, target: string, overwrite: boolean): Promise<void> {
  const existing = await files.stat(target);
  if (existing && !overwrite)
    throw new TaskFailed(`The file "${target}" exists on the server; set "overwrite" to replace it.`, {
      retry: false,
    });
  if (existing) await removeAll(files, existing);
  else await makeFolders(files, parentOf(target));
  await files.rename(source, target);
}

/** Removes a file, or a folder with its content; returns the paths of the files. */
async function removeAll(files: RemoteFiles, entry: RemoteFile): Promise<string[]> {
  if (!entry.isFolder || entry.isLink) {
    await files.removeFile(entry.path);
    return [entry.path];
  }
  const removed: string[] = [];
  for (const inner of (await files.list(entry.path)) ?? []) removed.push(...(await removeAll(files, inner)));
  await files.removeFolder(entry.path);
  return removed;
}

export function defineDelete(protocol: Protocol): TaskDefinition {
  return defineTask({
    type: `fs.${protocol.name}.Delete`,
    title: `Delete files of an ${protocol.title}`,
    description: `Deletes a file. A folder is deleted with \`recursive\`. With \`regExp\` the matching files of the folder are deleted and
the folder stays.`,
    input: () =>
      z.object({
        ...protocol.properties,
        uri: text().describe('The path on the server.'),
        errorOnMissing: flag().default(false).describe('Fail when there is nothing to delete.'),
        recursive: flag().default(false).describe('Delete folders with everything below them.'),
        regExp: text().optional().describe('Only files whose whole path matches this regular expression.'),
      }),
    output: () =>
      z.object({
        uri: z.string().describe('The address that was given.'),
        deleted: z.boolean().describe('Whether something was deleted.'),
        uris: z.array(z.string()).describe('The addresses of the deleted files.'),
      }),
    sideEffects: true,
    examples: [
      exampleFlow(protocol, 'Delete', 'Delete a file.', {
        lines: [`uri: ${protocol.exampleFolder}/data.csv`, 'errorOnMissing: true'],
      }),
    ],
    run: (context, { uri, errorOnMissing, recursive, regExp, ...connection }) =>
      withFiles(protocol, context, connection, async (files) => {
        const path = toServerPath(uri);
        const entry = await files.stat(path);
        const removed = entry ? await remove(files, entry, { recursive, regExp }) : [];
        const isDeleted = entry !== undefined && (regExp === undefined || removed.length > 0);
        if (!isDeleted && errorOnMissing) throw missing(path, protocol);
        const uris = removed.map((each) => toUri(protocol, connection, each));
        return { uri: toUri(protocol, connection, path), deleted: isDeleted, uris };
      }),
  });
}

async function remove(
  files: RemoteFiles,
  entry: RemoteFile,
  { recursive, regExp }: { readonly recursive: boolean; readonly regExp?: string | undefined },
): Promise<string[]> {
  if (entry.isFolder && regExp !== undefined) {
    const matches = pathMatcher(regExp);
    const found = ((await listFiles(files, entry.path, recursive)) ?? []).filter(({ path }) => matches(path));
    for (const file of found) await files.removeFile(file.path);
    return found.map(({ path }) => path);
  }
  if (entry.isFolder && !recursive) {
    const inner = (await files.list(entry.path)) ?? [];
    if (inner.length > 0)
      throw new TaskFailed(`The folder "${entry.path}" is not empty; set "recursive" to delete it.`, {
        retry: false,
      });
  }
  if (!pathMatcher(regExp)(entry.path)) return [];
  return removeAll(files, entry);
}
