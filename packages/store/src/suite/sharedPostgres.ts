import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres, stopPostgres } from './postgresServer.ts';

/** The folder of the server that all files of a test run share; see `globalSetup.ts`. */
export const runFolderVariable = 'MILLRACE_TEST_POSTGRES_RUN';

/**
 * The server of this test run: the one that the environment names, or one that the first test file starts.
 * Creating a folder is the lock: it succeeds for one process only.
 */
export async function sharedPostgres(): Promise<string> {
  const given = process.env.MILLRACE_TEST_POSTGRES_URL;
  if (given !== undefined && given !== '') return given;
  const folder = process.env[runFolderVariable];
  if (folder === undefined)
    throw new Error('The test run has no global setup, so the server would not be stopped.');
  const file = join(folder, 'server.json');
  if (claim(join(folder, 'starting'))) {
    try {
      const { url, folder: data } = await startPostgres();
      publish(file, { url, folder: data });
    } catch (error) {
      publish(file, { error: error instanceof Error ? error.message : String(error) });
    }
  }
  while (!existsSync(file)) await delay(50);
  const started = readStarted(file);
  if (started.url === undefined) throw new Error(started.error);
  return started.url;
}

/** Ends the server of a test run, when one was started. */
export async function stopSharedPostgres(folder: string): Promise<void> {
  const file = join(folder, 'server.json');
  const started = existsSync(file) ? readStarted(file) : {};
  if (started.folder !== undefined) await stopPostgres(started.folder);
}

interface Started {
  readonly url?: string;
  readonly folder?: string;
  readonly error?: string;
}

// `as`: written by `publish`, in this process or another.
const readStarted = (file: string): Started => JSON.parse(readFileSync(file, 'utf8')) as Started;

/** Renames the file into place, so that no process reads a partial file. */
function publish(file: string, started: Started): void {
  writeFileSync(`${file}.new`, JSON.stringify(started));
  renameSync(`${file}.new`, file);
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
