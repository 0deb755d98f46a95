import { expect, it } from 'vitest';
import type { Catalogue } from '../catalogue.ts';
import { parseFlow } from './parseFlow.ts';

const wrong = (path: string) => ({ severity: 'error' as const, path, message: 'is wrong' });
const isScalar = (value: unknown) => value === undefined || typeof value !== 'object';

/** A type with a text, texts by name, a number, and a property that takes anything. */
const catalogue: Catalogue = {
  find: (type) =>
    type === 'test.Type'
      ? {
          type,
          kind: 'task',
          sideEffects: true,
          check: ({ text, env, count }) => [
            ...(isScalar(text) ? [] : [wrong('text')]),
            ...Object.entries(env ?? {}).flatMap(([name, value]) => (isScalar(value) ? [] : [wrong(name)])),
            ...(count === undefined || typeof count === 'number' ? [] : [wrong('count')]),
          ],
        }
      : undefined,
};

const taskOf = (properties: string) =>
  parseFlow(`id: f\nnamespace: n\ntasks: [ { id: a, type: test.Type, ${properties} } ]`, catalogue).flow
    ?.tasks[0];

it.each([
  ['text: 1.10', { text: '1.10' }],
  ['text: 007', { text: '007' }],
  ['text: 1e3', { text: '1e3' }],
  ['text: True', { text: 'True' }],
  ['text: 5', { text: 5 }],
  ['env: { PYTHON: 3.10, N: 5, deep: 0x1F }', { env: { PYTHON: '3.10', N: 5, deep: '0x1F' } }],
  ['count: 1.50', { count: 1.5 }],
  ['any: { a: 1.50, b: [ 2.0, True ] }', { any: { a: 1.5, b: [2, true] } }],
  ['timeout: 1.0', { timeout: 1 }],
])('[E353] %s', (properties, expected) => {
  expect(taskOf(properties)).toMatchObject(expected);
});

it('[E353] a text made of such numbers is not asked about endlessly', () => {
  const many = Array.from({ length: 5000 }, (_, index) => `v${index}: 1.0`).join(', ');
  expect(taskOf(`env: { ${many} }`)).toMatchObject({ env: { v0: '1.0', v4999: 1 } });
});
