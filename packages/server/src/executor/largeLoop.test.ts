import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@millrace/store/suite';
import { expect, it, onTestFinished } from 'vitest';

const child = fileURLToPath(new URL('../testing/largeLoop.ts', import.meta.url));
const iterations = 2_000;
const mebibyte = 1_048_576;

it('a long loop runs in little memory: an ended iteration keeps less than 1.5 KB', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  // With less heap than this the process would end; a server has a gigabyte and more.
  const flags = ['--expose-gc', '--max-old-space-size=200', '--import', 'tsx'];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    child,
    folder.path,
    String(iterations),
  ]);
  const { grownBytes, peakBytes } = JSON.parse(stdout) as { grownBytes: number; peakBytes: number };
  expect(grownBytes / iterations).toBeLessThan(1_500);
  expect(peakBytes).toBeLessThan(500 * mebibyte);
}, 300_000);
