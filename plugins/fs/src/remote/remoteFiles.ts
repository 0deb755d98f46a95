import { createFullMatcher } from '@millrace/plugin-kit';

export interface RemoteFile {
  /** From the root that the user sees, with a leading slash. */
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
  readonly size: number;
  readonly userId?: number | undefined;
  readonly groupId?: number | undefined;
  readonly permissions?: number | undefined;
  readonly accessedAt?: Date | undefined;
  readonly modifiedAt?: Date | undefined;
}

/** An open connection to a file server. Every path begins with a slash. */
export interface RemoteFiles {
  /** One level; undefined when there is no such folder. */
  list(path: string): Promise<readonly RemoteFile[] | undefined>;
  stat(path: string): Promise<RemoteFile | undefined>;
  read(path: string): AsyncIterable<Uint8Array>;
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  removeFile(path: string): Promise<void>;
  removeFolder(path: string): Promise<void>;
  /** Creates one folder; not an error when it exists. */
  makeFolder(path: string): Promise<void>;
  close(): Promise<void>;
}

/** `dir/file`, `/dir/file` or `sftp://host/dir/file` → `/dir/file`, without steps upwards. */
export function toServerPath(written: string): string {
  const path = written.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return `/${steps.join('/')}`;
}

export const nameOf = (path: string): string => path.split('/').at(-1) ?? '';
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
export const joinPath = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;

/** Tests whether a whole path matches; without a pattern, all paths match. */
export const pathMatcher = (regExp: string | undefined): ((path: string) => boolean) =>
  createFullMatcher(regExp, 'regExp');

/** All files in a folder, with `recursive` also in its subfolders. Undefined when the folder is missing. */
export async function listFiles(
  files: Pick<RemoteFiles, 'list'>,
  folder: string,
  recursive: boolean,
): Promise<RemoteFile[] | undefined> {
  const entries = await files.list(folder);
  if (!entries) return undefined;
  const found: RemoteFile[] = [];
  for (const entry of [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (!entry.isFolder) found.push(entry);
    // A linked folder could lead to a cycle.
    else if (recursive && !entry.isLink) found.push(...((await listFiles(files, entry.path, true)) ?? []));
  }
  return found;
}

/** Creates the folder and its parents. */
export async function makeFolders(files: RemoteFiles, folder: string): Promise<void> {
  if (folder === '/' || (await files.stat(folder))?.isFolder) return;
  await makeFolders(files, parentOf(folder));
  await files.makeFolder(folder);
}

export type Sort = 'NONE' | 'LAST_MODIFIED_ASC' | 'LAST_MODIFIED_DESC' | 'NAME_ASC' | 'NAME_DESC';

export function sortFiles<F extends { readonly name: string; readonly modifiedAt?: Date | undefined }>(
  files: readonly F[],
  sort: Sort,
): F[] {
  const time = ({ modifiedAt }: F) => modifiedAt?.getTime() ?? 0;
  const byName = (a: F, b: F) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  switch (sort) {
    case 'LAST_MODIFIED_ASC':
      return [...files].sort((a, b) => time(a) - time(b));
    case 'LAST_MODIFIED_DESC':
      return [...files].sort((a, b) => time(b) - time(a));
    case 'NAME_ASC':
      return [...files].sort(byName);
    case 'NAME_DESC':
      return [...files].sort((a, b) => byName(b, a));
    default:
      return [...files];
  }
}
