import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFlags } from './nodeFlags.mjs';
import { inRoot } from './root.mjs';

it('npm start, the command itself and the container image give node the flags that are measured', () => {
  const flags = nodeFlags.join(' ');
  const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  expect(scripts.start).toBe('sh scripts/millrace');
  expect(readFileSync(inRoot('scripts', 'millrace'), 'utf8')).toContain(` node ${flags} "$here/start.mjs"`);
  const [firstLine] = readFileSync(inRoot('scripts', 'start.mjs'), 'utf8').split('\n');
  expect(firstLine).toBe(`#!/usr/bin/env -S node ${flags}`);
  const command = ['node', ...nodeFlags, 'dist/server/millrace.js'].map((word) => JSON.stringify(word));
  expect(readFileSync(inRoot('Dockerfile'), 'utf8')).toContain(command.join(', '));
});
