import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fingerprint } from './fingerprint.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fingerprint-'));
  writeFileSync(join(folder, 'a.ts'), 'a');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('stays the same while nothing changes', () => {
  expect(fingerprint([folder])).toBe(fingerprint([folder]));
});

it('stays the same when a test is added', () => {
  const before = fingerprint([folder]);
  writeFileSync(join(folder, 'a.test.ts'), 'test');
  expect(fingerprint([folder])).toBe(before);
});

it.each([
  ['a file is added', () => writeFileSync(join(folder, 'b.ts'), 'b')],
  ['a file is touched', () => utimesSync(join(folder, 'a.ts'), 1, 1)],
  ['a file grows', () => writeFileSync(join(folder, 'a.ts'), 'aa')],
  ['a file goes', () => rmSync(join(folder, 'a.ts'))],
])('changes when %s', (_, change) => {
  const before = fingerprint([folder]);
  change();
  expect(fingerprint([folder])).not.toBe(before);
});
