import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The number of durable 8 KB writes per second on this disk: the upper bound for ungrouped commits. */
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

/**
 * The number of small JSON documents that one core writes and reads per second, to compare machines and runs.
 */
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
