import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { kvDelete } from './delete.ts';
import { kvGet } from './get.ts';
import { kvGetKeys } from './getKeys.ts';
import { purgeKv } from './purgeKv.ts';
import { kvSet } from './set.ts';

test.each<[unknown, string | undefined, unknown, string]>([
  ['text', undefined, 'text', 'STRING'],
  ['{{ map }}', undefined, { a: 1 }, 'JSON'],
  ['{{ n }}', undefined, 5, 'NUMBER'],
  ['n is {{ n }}', undefined, 'n is 5', 'STRING'],
  [[1, '{{ n }}'], undefined, [1, 5], 'JSON'],
  ['12.5', 'NUMBER', 12.5, 'NUMBER'],
  ['TRUE', 'BOOLEAN', true, 'BOOLEAN'],
  ['{"a": [1]}', 'JSON', { a: [1] }, 'JSON'],
  ['2026-01-31T08:00:00Z', 'DATETIME', '2026-01-31T08:00:00Z', 'DATETIME'],
  ['PT5M', 'DURATION', 'PT5M', 'DURATION'],
  ['{{ map }}', 'STRING', '{"a":1}', 'STRING'],
])('Set stores %j with type %s as %j', async (value, kvType, stored, type) => {
  const context = aTaskContext({ variables: { n: 5, map: { a: 1 } } });
  await runType(kvSet, { key: 'k', value, ...(kvType && { kvType }) }, context);
  expect(context.kv.byNamespace.get('company.team')?.get('k')).toEqual({ value: stored, type });
  expect(await runType(kvGet, { key: 'k' }, context)).toEqual({ value: stored });
});

test.each([
  ['many', 'NUMBER'],
  ['2026-02-30', 'DATE'],
  ['2026-02-30T00:00:00Z', 'DATETIME'],
  ['maybe', 'BOOLEAN'],
  ['{', 'JSON'],
  ['soon', 'DATETIME'],
  ['1h', 'DURATION'],
])('Set refuses "%s" as %s', async (value, kvType) => {
  await expect(runType(kvSet, { key: 'k', value, kvType })).rejects.toThrow(
    `The value "${value}" cannot be stored as ${kvType}.`,
  );
});

test('Set keeps a value it must not overwrite, and a time to live', async () => {
  const context = aTaskContext();
  await runType(kvSet, { key: 'k', value: 'first', ttl: 'PT1H', namespace: 'other' }, context);
  await expect(
    runType(kvSet, { key: 'k', value: 'x', overwrite: false, namespace: 'other' }, context),
  ).rejects.toThrow('exists');
  expect(context.kv.byNamespace.get('other')?.get('k')).toEqual({
    value: 'first',
    type: 'STRING',
    ttlMs: 3_600_000,
  });
});

test.each(['', '.a', 'a b', '-x', 'a/b'])('the key "%s" is refused', async (key) => {
  await expect(runType(kvGet, { key })).rejects.toThrow('"key"');
});

test('Get looks in the namespaces above, unless one is named', async () => {
  const context = aTaskContext();
  await runType(kvSet, { key: 'k', value: 'above', namespace: 'company' }, context);
  expect(await runType(kvGet, { key: 'k' }, context)).toEqual({ value: 'above' });
  expect(await runType(kvGet, { key: 'k', namespace: 'company.team' }, context)).toEqual({ value: null });
  await expect(runType(kvGet, { key: 'x', errorOnMissing: true }, context)).rejects.toThrow(
    'No value found for the key "x"',
  );
});

test('GetKeys lists in order and Delete deletes', async () => {
  const context = aTaskContext();
  for (const key of ['b2', 'a1', 'b1']) await runType(kvSet, { key, value: 1 }, context);
  expect(await runType(kvGetKeys, { prefix: 'b' }, context)).toEqual({ keys: ['b1', 'b2'] });
  expect(await runType(kvDelete, { key: 'b1' }, context)).toEqual({ deleted: true });
  expect(await runType(kvDelete, { key: 'b1' }, context)).toEqual({ deleted: false });
  await expect(runType(kvDelete, { key: 'b1', errorOnMissing: true }, context)).rejects.toThrow(
    'No value found',
  );
});

test('PurgeKV deletes what has expired, or all that matches', async () => {
  const context = aTaskContext({
    actions: { listNamespaces: async () => ['company', 'company.team', 'other'] },
  });
  await runType(kvSet, { key: 'old', value: 1, ttl: 'PT0S', namespace: 'company' }, context);
  await runType(kvSet, { key: 'new', value: 1, ttl: 'PT1H' }, context);
  await runType(kvSet, { key: 'far', value: 1, ttl: 'PT0S', namespace: 'other' }, context);
  expect(await runType(purgeKv, { namespaces: ['company'] }, context)).toEqual({ size: 1 });
  const all = { namespacePattern: '*', keyPattern: 'n*', behavior: { type: 'key', expiredOnly: false } };
  expect(await runType(purgeKv, all, context)).toEqual({ size: 1 });
  expect([...(context.kv.byNamespace.get('other')?.keys() ?? [])]).toEqual(['far']);
});
