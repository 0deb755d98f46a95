import { readFileSync } from 'node:fs';
import { inRoot } from '../setup/root.mjs';
import { listFiles } from './sourceFiles.mjs';

const limit = 400;
const isSource = (/** @type {string} */ path) => /\.(ts|tsx|mjs|cjs|css|sql)$/.test(path);

/** A longer file has a second reason to change: split it. */
export function checkFileLengths() {
  const long = ['packages', 'plugins', 'e2e', 'bench', 'scripts']
    .flatMap((folder) => listFiles(folder))
    .filter(isSource)
    .map((path) => ({ path, lines: countLines(path) }))
    .filter(({ lines }) => lines > limit);
  return {
    ok: long.length === 0,
    words: long.map(({ path, lines }) => `${path} has ${lines} lines; the limit is ${limit}.`).join('\n'),
  };
}

/** @param {string} path */
const countLines = (path) => readFileSync(inRoot(path), 'utf8').split('\n').length - 1;
