import { expect, it } from 'vitest';
import { plainText } from './plainText.ts';

it.each([
  ['## One flow calls another\n\nCalls `make` **twice**.', 'One flow calls another Calls make twice.'],
  ['- a\n- [b](https://example.org)', 'a b'],
  ['Keep ```\ncode\n``` out', 'Keep out'],
  ['2 * 3 and a snake_case', '2 * 3 and a snake_case'],
])('shows %j as %j', (markdown, text) => expect(plainText(markdown)).toBe(text));
