import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a million rows of CSV become Parquet and CSV again below 512 MB of memory, value by value', async () => {
  const script = fileURLToPath(new URL('./testing/largeFile.ts', import.meta.url));
  const args = ['--max-old-space-size=256', '--import', 'tsx', script, '1000000'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { rowCount, peakMegabytes } = JSON.parse(stdout);
  expect(rowCount).toBe(1_000_000);
  expect(peakMegabytes).toBeLessThan(512);
}, 1_800_000);
