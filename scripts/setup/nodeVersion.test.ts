import { expect, it } from 'vitest';
import { isOldNode } from './nodeVersion.mjs';

it.each([
  ['18.20.8', true],
  ['20.18.3', true],
  ['20.19.0', false],
  ['20.20.2', false],
  ['21.0.0', false],
  ['22.12.0', false],
])('Node %s is too old: %s', (version, old) => {
  expect(isOldNode(version)).toBe(old);
});
