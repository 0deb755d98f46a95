import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How many times a second this disk, right now, keeps eight kilobytes for good: the ceiling of unshared commits. */
export function measureSyncRate(milliseconds: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'sync-'));
  const file = openSync(join(folder, 'file'), 'w');
  const page = Buffer.alloc(8192, 1);
  try {
    return countPerSecond(milliseconds, () => {
      writeSync(file, page, 0, page.length, 0);
      fdatasyncSync(file);
    });
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How many times a second one core writes and reads a small JSON document, for comparing machines and moments. */
export function measureCoreRate(milliseconds: number): number {
  const document = {
    id: 'x'.repeat(22),
    states: Array.from({ length: 10 }, (_, at) => ({ state: 'RUNNING', at })),
  };
  return countPerSecond(milliseconds, () => JSON.parse(JSON.stringify(document)));
}

function countPerSecond(milliseconds: number, work: () => void): number {
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < milliseconds; count += 1) work();
  return count / ((performance.now() - startedAt) / 1000);
}
