import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import {
  joinPath,
  listFiles,
  makeFolders,
  nameOf,
  parentOf,
  pathMatcher,
  type RemoteFile,
  type Sort,
  sortFiles,
  toServerPath,
} from '../remote/remoteFiles.ts';
import type { LocalFile, LocalFiles } from './localFiles.ts';

interface Choice {
  readonly from: string;
  readonly regExp?: string | undefined;
  readonly recursive: boolean;
  readonly maxFiles?: number;
  readonly sort?: Sort;
}

export const fileUri = (path: string): string =>
  `file://${path.split('/').map(encodeURIComponent).join('/')}`;

export const missingLocal = (path: string): TaskFailed =>
  new TaskFailed(`There is no file "${path}" on the worker.`, { retry: false });

/** The files of a folder that match, at most `maxFiles`; undefined when there is no such folder. */
export async function chooseLocal(
  context: Pick<TaskContext, 'log'>,
  files: LocalFiles,
  { from, regExp, recursive, maxFiles = Number.POSITIVE_INFINITY, sort = 'NONE' }: Choice,
): Promise<LocalFile[] | undefined> {
  const matches = pathMatcher(regExp);
  // `as`: files of the worker always have the dates of a local file.
  const found = (await listFiles(files, toServerPath(from), recursive)) as LocalFile[] | undefined;
  if (!found) return undefined;
  const chosen = sortFiles(
    found.filter(({ path }) => matches(path)),
    sort,
  );
  if (chosen.length > maxFiles)
    await context.log('WARN', `Only ${maxFiles} of ${chosen.length} files are taken: see "maxFiles".`);
  return chosen.slice(0, maxFiles);
}

/** Where a file goes: into the folder, or to the path itself. */
export async function targetOf(files: LocalFiles, from: string, to: string): Promise<string> {
  const target = toServerPath(to);
  const isFolder = to.endsWith('/') || (await files.stat(target))?.isFolder === true;
  return isFolder ? joinPath(target, nameOf(from)) : target;
}

/** Creates the target's parent folders; fails when the target exists and must not be overwritten. */
export async function makeRoom(files: LocalFiles, target: string, overwrite: boolean): Promise<void> {
  const existing = await files.stat(target);
  if (existing?.isFolder) throw new TaskFailed(`"${target}" is a folder.`, { retry: false });
  if (existing && !overwrite)
    throw new TaskFailed(`The file "${target}" exists; set "overwrite" to replace it.`, { retry: false });
  await makeFolders(files, parentOf(target));
}

export async function copyLocal(files: LocalFiles, source: RemoteFile, target: string): Promise<void> {
  if (!source.isFolder) return files.write(target, files.read(source.path));
  await makeFolders(files, target);
  for (const entry of (await files.list(source.path)) ?? [])
    await copyLocal(files, entry, joinPath(target, entry.name));
}

/** Renames the file, or copies it when the target is on another disk. */
export async function moveLocal(files: LocalFiles, source: RemoteFile, target: string): Promise<void> {
  try {
    await files.rename(source.path, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    await copyLocal(files, source, target);
    await removeLocal(files, source);
  }
}

/** Removes a file, or a folder with its content; returns the paths of the files. */
async function removeLocal(files: LocalFiles, entry: RemoteFile): Promise<string[]> {
  if (!entry.isFolder || entry.isLink) {
    await files.removeFile(entry.path);
    return [entry.path];
  }
  const removed: string[] = [];
  for (const inner of (await files.list(entry.path)) ?? [])
    removed.push(...(await removeLocal(files, inner)));
  await files.removeFolder(entry.path);
  return removed;
}

interface Removal {
  readonly path: string;
  readonly errorOnMissing: boolean;
  readonly recursive: boolean;
  readonly regExp?: string | undefined;
}

/** Deletes a file, a folder, or the matching files of a folder. */
export async function deleteLocal(
  files: LocalFiles,
  { path: written, errorOnMissing, recursive, regExp }: Removal,
): Promise<{ uri: string; deleted: boolean; uris: string[] }> {
  const path = toServerPath(written);
  const entry = await files.stat(path);
  const removed: string[] = [];
  if (entry?.isFolder && regExp !== undefined) {
    const matches = pathMatcher(regExp);
    for (const file of (await listFiles(files, path, recursive)) ?? []) {
      if (matches(file.path)) removed.push(...(await removeLocal(files, file)));
    }
  } else if (entry) {
    if (entry.isFolder && !recursive && ((await files.list(path)) ?? []).length > 0)
      throw new TaskFailed(`The folder "${path}" is not empty; set "recursive" to delete it.`, {
        retry: false,
      });
    removed.push(...(await removeLocal(files, entry)));
  }
  const deleted = entry !== undefined && (regExp === undefined || removed.length > 0);
  if (!deleted && errorOnMissing) throw missingLocal(path);
  return { uri: fileUri(path), deleted, uris: removed.map(fileUri) };
}
