import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isSupportedNode } from './nodeVersion.mjs';
import { inRoot } from './root.mjs';

it.each([
  ['18.20.8', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['20.20.2', true],
  ['21.7.0', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['24.0.0', true],
  ['25.0.0', false],
])('Node %s is supported: %s', (version, supported) => {
  expect(isSupportedNode(version)).toBe(supported);
});

it('npm installs on the same versions as the product starts on', () => {
  const { engines } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  expect(engines.node).toBe('^20.19.0 || ^22.13.0 || ^24.0.0');
});
