import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram, isExecutable } from './program.mjs';

/** Where distributions keep the server programs, which are seldom on the search path. */
const parents = ['/usr/lib/postgresql', '/usr/pgsql', '/opt/homebrew/opt', '/usr/local/opt'];

/** The folder with `initdb` and `postgres`; of several versions the newest. */
export function findPostgresFolder() {
  const named = process.env.TEST_POSTGRES_BIN;
  if (named) return named;
  const onPath = findProgram(['initdb']);
  return onPath ? dirname(onPath) : installedFolders().at(-1);
}

function installedFolders() {
  return parents
    .filter((parent) => existsSync(parent))
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name, 'bin')))
    .filter((folder) => isExecutable(join(folder, 'initdb')))
    .sort((left, right) => left.localeCompare(right, 'en', { numeric: true }));
}
