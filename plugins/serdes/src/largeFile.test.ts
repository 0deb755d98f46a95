import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a large CSV file becomes Parquet and CSV again in a small heap, value by value', async () => {
  const script = fileURLToPath(new URL('./testing/largeFile.ts', import.meta.url));
  const args = ['--max-old-space-size=64', '--import', 'tsx', script, '15000'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toMatchObject({ rowCount: 15_000 });
}, 120_000);
