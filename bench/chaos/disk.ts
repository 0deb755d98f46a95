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

/** A disk of its own that can be filled up; undefined for who may not mount one. */
export async function createSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | undefined> {
  mkdirSync(folder, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder]);
  } catch {
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: async () => {
      fillUp(ballast);
      await wait(1_500);
      rmSync(ballast, { force: true });
    },
    remove: async () => {
      // Lazily: what a killed server has forked may take a moment to notice.
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
    // No room is left, which is what was wanted.
  } finally {
    closeSync(descriptor);
  }
}
