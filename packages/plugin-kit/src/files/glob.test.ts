import { expect, test } from 'vitest';
import { createGlobMatcher } from './glob.ts';

test.each([
  ['*.txt', 'a.txt', true],
  ['*.txt', 'dir/a.txt', false],
  ['**/*.txt', 'a.txt', true],
  ['**/*.txt', 'a/b/c.txt', true],
  ['**', 'a/b/c.txt', true],
  ['dir/**', 'dir/x', true],
  ['dir/**', 'other/x', false],
  ['**.txt', 'a.txt', true],
  ['**.txt', 'a/b/c.txt', true],
  ['**.txt', 'a/b/c.csv', false],
  ['dir/**.txt', 'dir/a/b.txt', true],
  ['dir/**.txt', 'a.txt', false],
  ['out**', 'out/a/b', true],
  ['out**', 'output', true],
  ['a**b**c', 'a/b/x/c', true],
  ['***', 'a/b', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['*.{csv,json}', 'a.json', true],
  ['*.{csv,json}', 'a.xml', false],
  ['{a,b}/{c,d}', 'b/c', true],
  ['./out.txt', 'out.txt', true],
  ['/out.txt', 'out.txt', true],
  ['a+b(c).txt', 'a+b(c).txt', true],
  ['\\*.txt', '*.txt', true],
  ['\\*.txt', 'a.txt', false],
  ['*', 'ünïcode', true],
  ['a', 'b', false],
])('%s on %s is %s', (glob, path, expected) => {
  expect(createGlobMatcher([glob])(path)).toBe(expected);
});

test('a hostile pattern costs little', () => {
  const matches = createGlobMatcher([`${'*a'.repeat(200)}b`, `${'**/a/'.repeat(200)}b`]);
  const started = performance.now();
  expect(matches('a'.repeat(2000))).toBe(false);
  expect(matches('a/'.repeat(500))).toBe(false);
  expect(() => createGlobMatcher(['a**'.repeat(50)])).toThrow('too many alternatives');
  // Matching that tries all ways would take years; a busy machine takes two seconds.
  expect(performance.now() - started).toBeLessThan(30_000);
});

test('no pattern matches nothing', () => {
  expect(createGlobMatcher([])('a')).toBe(false);
});
