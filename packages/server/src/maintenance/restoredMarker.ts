import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The file that marks a data folder as restored from a backup. */
export const restoredFile = 'restored.json';

const Marker = z.object({ restoredAt: z.iso.datetime() });

export const markRestored = (data: string, now: number): Promise<void> =>
  writeFile(join(data, restoredFile), `${JSON.stringify({ restoredAt: new Date(now).toISOString() })}\n`);

/** When the data folder was restored from a backup; undefined when it was not, or the marker is unreadable. */
export async function restoredAt(data: string): Promise<number | undefined> {
  try {
    return Date.parse(Marker.parse(JSON.parse(await readFile(join(data, restoredFile), 'utf8'))).restoredAt);
  } catch {
    return undefined;
  }
}
