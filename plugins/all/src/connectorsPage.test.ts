import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { families } from './index.ts';

const page = readFileSync(new URL('../../../docs/connectors.md', import.meta.url), 'utf8');

test.each(
  families
    .filter(({ name }) => name !== 'core' && name !== 'scripts')
    .map(({ name, types }) => [name, types] as const),
)('docs/connectors.md lists every type of %s', (_, types) => {
  const missing = types.filter(({ type, isInner }) => !isInner && !listed(type)).map(({ type }) => type);
  expect(missing).toEqual([]);
});

/** The whole name in code or in a cell of a table. */
const listed = (type: string): boolean =>
  new RegExp(String.raw`[\`|\s]${type.replaceAll('.', String.raw`\.`)}[\`|\s,]`).test(page);
