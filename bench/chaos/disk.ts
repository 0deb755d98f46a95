import { execFile } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallDisk {
  readonly folder: string;
  fill(): Promise<void>;
  remove(): Promise<void>;
}

/** A separate disk that can be filled up; undefined without the permission to mount one. */
export async function createSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | undefined> {
  mkdirSync(folder, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder]);
  } catch {
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: async () => {
      fillUp(filler);
      await wait(1_500);
      rmSync(filler, { force: true });
    },
    remove: async () => {
      // Lazy: child processes of a killed server may take a moment to exit.
      await run('umount', ['-l', folder]);
    },
  };
}

function fillUp(file: string): void {
  const piece = Buffer.alloc(64 * 1_024);
  const descriptor = openSync(file, 'w');
  try {
    for (;;) writeSync(descriptor, piece);
  } catch {
    // The disk is full, as intended.
  } finally {
    closeSync(descriptor);
  }
}
