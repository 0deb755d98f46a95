import { chmodSync } from 'node:fs';
import { runFolderVariable, stopSharedPostgres } from './sharedPostgres.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/**
 * Runs once per test run, at no cost: it only names the folder in which the first test file that needs
 * PostgreSQL starts a server for all (processes inherit the variable), and stops that server at the end.
 * Temporary files of tests are created in this folder and removed with it.
 */
export function setup(): (() => Promise<void>) | undefined {
  if (process.env[runFolderVariable] !== undefined) return undefined;
  const folder = temporaryFolder();
  // PostgreSQL may run as another user, who needs access to the folder.
  chmodSync(folder.path, 0o755);
  const { TMPDIR } = process.env;
  process.env[runFolderVariable] = folder.path;
  process.env.TMPDIR = folder.path;
  return async () => {
    await stopSharedPostgres(folder.path);
    folder.remove();
    delete process.env[runFolderVariable];
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  };
}
