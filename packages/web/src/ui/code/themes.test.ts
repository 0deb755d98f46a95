import { expect, test } from 'vitest';
import { asHex } from './themes.ts';

test.each([
  ['#ffffff', '#ffffff'],
  ['#fff', '#ffffff'],
  ['#1aF', '#11aaFF'],
  ['', '#000000'],
])('%j is %s to Monaco', (written, hex) => {
  expect(asHex(written)).toBe(hex);
});
