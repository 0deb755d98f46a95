import { linkSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { giveAway } from './giveAway.js';

it.runIf(process.getuid?.() === 0)('gives away nothing outside of the folder, whatever lies in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'give-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [work, outside] = [join(folder, 'work'), join(folder, 'outside')];
  mkdirSync(join(work, 'inner'), { recursive: true });
  mkdirSync(outside);
  for (const path of [join(work, 'inner', 'own'), join(outside, 'secret'), join(outside, 'second')])
    writeFileSync(path, '');
  symlinkSync(outside, join(work, 'link'));
  symlinkSync(join(outside, 'secret'), join(work, 'inner', 'link'));
  linkSync(join(outside, 'second'), join(work, 'inner', 'hard'));
  giveAway(work, { uid: 65_534, gid: 65_534 });
  const ownerOf = (path: string) => lstatSync(path).uid;
  expect([work, join(work, 'inner'), join(work, 'inner', 'own')].map(ownerOf)).toEqual([
    65_534, 65_534, 65_534,
  ]);
  expect([outside, join(outside, 'secret'), join(outside, 'second')].map(ownerOf)).toEqual([0, 0, 0]);
});
