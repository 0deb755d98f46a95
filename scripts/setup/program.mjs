import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's folders for servers, which are not on the PATH of an ordinary user. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/**
 * The full path of the first of these programs on the PATH.
 * @param {readonly string[]} names
 */
export function findProgram(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...systemFolders];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
