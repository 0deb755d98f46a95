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

test('docs/connectors.md lists a type once, in the section of its family', () => {
  const rows = page.split(/^## /m).flatMap((section) => {
    const title = section.split('\n', 1)[0] ?? '';
    return [...section.matchAll(/^\| ([a-z0-9]+)(\.[\w.]+) \|/gm)].map(([, family = '', rest = '']) => ({
      title,
      family,
      type: family + rest,
    }));
  });
  const names = (title: string) => title.split(', ');
  const titles = new Set(rows.flatMap(({ title }) => names(title)));
  const misplaced = rows.filter(({ title, family }) => titles.has(family) && !names(title).includes(family));
  expect(misplaced).toEqual([]);
  const types = rows.map(({ type }) => type);
  expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
});
