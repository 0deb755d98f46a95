import fc from 'fast-check';
import { expect, it } from 'vitest';
import { searchText, searchWords } from './searchText.ts';
import { decodeText, encodeText } from './text.ts';

it('gives back every text and never stores a NUL or a lone surrogate', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const stored = encodeText(text);
      expect(decodeText(stored)).toBe(text);
      expect(/[\0\p{Cs}]/u.test(stored)).toBe(false);
    }),
  );
});

it.each(['a\0b', '\ud800', '\udc00x', '\u0001', '\u0001"x"', '', 'plain'])('keeps %j', (text) => {
  expect(decodeText(encodeText(text))).toBe(text);
});

it('breaks texts into lower-case tokens, each after one space', () => {
  expect(searchText('company.team', undefined, 'Hello_World-42', '--')).toBe(' company team hello world 42');
  expect(searchWords('  Company.Te  --  ärger ')).toEqual([' company te', ' ärger']);
});
