import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Stores a query result in a process with a small heap; returns the stored amount and the memory used. */
export async function measureStream(
  type: string,
  properties: object,
): Promise<{ size: number; bytes: number; growthBytes: number }> {
  const script = fileURLToPath(new URL('./streamResult.ts', import.meta.url));
  const args = ['--max-old-space-size=64', '--import', 'tsx', script, type, JSON.stringify(properties)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}
