import { chmodSync } from 'node:fs';
import { runFolderVariable, stopSharedPostgres } from './sharedPostgres.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/**
 * Once per test run. Costs nothing: it only names the folder in which the first test file that needs PostgreSQL
 * starts one for all (its processes inherit the variable), and stops that server at the end. Whatever tests make in the
 * temporary folder is made in there, and goes with it.
 */
export function setup(): (() => Promise<void>) | undefined {
  if (process.env[runFolderVariable] !== undefined) return undefined;
  const folder = temporaryFolder();
  // PostgreSQL may run as another user, who must be able to pass through.
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
