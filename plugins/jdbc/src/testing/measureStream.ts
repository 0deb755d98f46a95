import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

interface Measured {
  readonly size: number;
  readonly bytes: number;
  readonly seconds: number;
  /** The largest resident set of the process that runs the task. */
  readonly peakMegabytes: number;
  /** The largest resident set of a process that the task started, such as the one of an embedded database. */
  readonly childMegabytes: number;
}

/** Stores a query result in a process with a small heap; returns the stored amount and the memory used. */
export async function measureStream(type: string, properties: object): Promise<Measured> {
  const script = fileURLToPath(new URL('./streamResult.ts', import.meta.url));
  const heap = ['--max-old-space-size=64', '--max-semi-space-size=4'];
  const args = [...heap, '--import', 'tsx', script, type, JSON.stringify(properties)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}
