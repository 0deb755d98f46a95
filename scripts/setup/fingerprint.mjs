import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';

const ignored = new Set(['node_modules', 'dist', '.cache']);

/**
 * A hash of the name, size and modification time of every input file. Contents are not read, so that a start
 * without anything to build costs milliseconds.
 * @param {readonly string[]} inputs files and folders
 */
export function fingerprint(inputs) {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(listFiles)) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function listFiles(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !ignored.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}
