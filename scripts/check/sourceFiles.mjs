import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../setup/root.mjs';

const ignored = new Set(['node_modules', 'dist', '.git', '.cache', 'data', 'test-results', 'coverage']);

/**
 * Files below a folder, by their paths from the root, in a stable order.
 * @param {string} folder path from the root; '' for the root itself
 * @returns {string[]}
 */
export function listFiles(folder = '') {
  return readdirSync(inRoot(folder), { withFileTypes: true })
    .filter((entry) => !ignored.has(entry.name))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path) : [path];
    });
}
