import { expect, it } from 'vitest';
import { openStringIn } from './quotesInTexts.ts';

it.each([
  ["print(f\"row {row['a']}", '"'],
  ["rows = rb'x", "'"],
  ['echo "it\'s', '"'],
  ['say "a \\" b', '"'],
  ['print("a", \'b"', "'"],
])('finds the string that is being typed: %s', (line, quote) => {
  expect(openStringIn(line)?.quote).toBe(quote);
});

it.each(["message: it's", 'print("a")', "don't and can't", 'say "a \\" b"', "x = 'a' + f'{b}'"])(
  'finds no open string: %s',
  (line) => {
    expect(openStringIn(line)).toBeUndefined();
  },
);
