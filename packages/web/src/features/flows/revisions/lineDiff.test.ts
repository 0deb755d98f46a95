import { expect, it } from 'vitest';
import { diffLines } from './lineDiff.ts';

const sketch = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

it.each([
  ['a\nb', 'a\nb', [' a', ' b']],
  ['a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a\nold\nc', 'a\nnew\nc', [' a', '-old', '+new', ' c']],
  ['', 'x', ['-', '+x']],
])('compares %j with %j', (before, after, expected) => expect(sketch(before, after)).toEqual(expected));

it('numbers the lines of both sides', () => {
  expect(diffLines('a\nb', 'b')).toEqual([
    { kind: 'removed', text: 'a', left: 1 },
    { kind: 'same', text: 'b', left: 2, right: 1 },
  ]);
});
