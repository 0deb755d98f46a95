import { runFolderVariable, stopSharedPostgres } from './sharedPostgres.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/**
 * Once per test run. Costs nothing: it only names the folder in which the first test file that needs PostgreSQL
 * starts one for all (its processes inherit the variable), and stops that server at the end.
 */
export function setup(): (() => Promise<void>) | undefined {
  if (process.env[runFolderVariable] !== undefined) return undefined;
  const folder = temporaryFolder();
  process.env[runFolderVariable] = folder.path;
  return async () => {
    await stopSharedPostgres(folder.path);
    folder.remove();
    delete process.env[runFolderVariable];
  };
}
