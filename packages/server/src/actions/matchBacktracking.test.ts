import { compilePattern } from '@millrace/engine';
import { expect, test } from 'vitest';
import { matchBacktracking } from './matchBacktracking.ts';

function match(source: string, text: string): Promise<boolean> {
  const pattern = compilePattern(source);
  if (!('backtracking' in pattern)) throw new Error(`${source} does not need to backtrack.`);
  return matchBacktracking(pattern.backtracking, text);
}

test.each([
  ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'Passw0rds', true],
  ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'passwords', false],
  ['(?!admin).*', 'administrator', false],
  ['(?!admin).*', 'user', true],
  ['\\w+(?<!_old)', 'table_old', false],
  ['(\\w)\\1', 'aa', true],
  ['(\\w)\\1', 'ab', false],
  ['(?i)(?!x)\\p{Alpha}+', 'ABC', true],
  ['\\A(?!x)[\\p{Alnum}\\-]+\\z', 'a-1', true],
])('[E202] the pattern %s and the text "%s": %s', async (source, text, expected) => {
  expect(await match(source, text)).toBe(expected);
});

test('[E202] an exponential pattern is ended, and the next one is matched', async () => {
  const slow = match('(?=(a+)+b)a+', 'a'.repeat(60));
  const next = match('(?!x)y', 'y');
  await expect(slow).rejects.toThrow('took longer than 1 s');
  expect(await next).toBe(true);
});
