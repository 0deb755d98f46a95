import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Lies in a data folder that was made from a backup. */
export const restoredFile = 'restored.json';

const Mark = z.object({ restoredAt: z.iso.datetime() });

export const markRestored = (data: string, now: number): Promise<void> =>
  writeFile(join(data, restoredFile), `${JSON.stringify({ restoredAt: new Date(now).toISOString() })}\n`);

/** When the data folder was made from a backup; undefined when it was not, or nobody can tell. */
export async function restoredAt(data: string): Promise<number | undefined> {
  try {
    return Date.parse(Mark.parse(JSON.parse(await readFile(join(data, restoredFile), 'utf8'))).restoredAt);
  } catch {
    return undefined;
  }
}
