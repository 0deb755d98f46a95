import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './root.mjs';

const ignored = new Set(['node_modules', 'dist', '.cache']);

/**
 * A hash of the name, size and modification time of every input file. Contents are not read and each file is asked
 * about once, so that a start without anything to build costs milliseconds.
 * @param {readonly string[]} inputs files and folders
 */
export function fingerprint(inputs) {
  const lines = inputs.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return [];
    const name = relative(root, path);
    return stat.isDirectory() ? describeFolder(path, name) : [describe(name, stat)];
  });
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** @param {string} folder @param {string} folderName @returns {string[]} */
function describeFolder(folder, folderName) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !ignored.has(name) && !/\.test\.tsx?$/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      const name = `${folderName}/${entry.name}`;
      return entry.isDirectory() ? describeFolder(path, name) : [describe(name, statSync(path))];
    });
}

/** @param {string} name @param {import('node:fs').Stats} stat */
const describe = (name, { size, mtimeMs }) => `${name} ${size} ${mtimeMs}`;
