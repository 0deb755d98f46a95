import { parseSize } from '@millrace/plugin-kit';
import { aTaskContext, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { forEachItemSplit } from '../flow/forEachItemStages.ts';
import { concat } from './concat.ts';
import { deduplicateItems } from './deduplicateItems.ts';
import { deleteFile } from './delete.ts';
import { filterItems } from './filterItems.ts';
import { localFiles } from './localFiles.ts';
import { purgeCurrentExecutionFiles } from './purgeCurrentExecutionFiles.ts';
import { reverse } from './reverse.ts';
import { size } from './size.ts';
import { split } from './split.ts';
import { write } from './write.ts';

const texts = async (context: TestContext, uris: unknown) =>
  Promise.all((uris as string[]).map((uri) => context.files.text(uri)));
const lines = async (context: TestContext, uri: unknown) =>
  (await context.files.text(String(uri)))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test.each<[Record<string, unknown>, string[]]>([
  [{}, ['a\n', 'b\n', 'c\n']],
  [{ rows: 2 }, ['a\nb\n', 'c\n']],
  [{ partitions: 2 }, ['a\nc\n', 'b\n']],
  [{ partitions: 5 }, ['a\n', 'b\n', 'c\n']],
  [{ bytes: '4B' }, ['a\nb\n', 'c\n']],
  [{ bytes: '1B' }, ['a\n', 'b\n', 'c\n']],
])('Split by %j gives %j', async (choice, expected) => {
  const context = aTaskContext();
  const from = await context.files.put('letters.txt', 'a\nb\nc\n');
  const { uris } = await runType(split, { from, ...choice }, context);
  expect(await texts(context, uris)).toEqual(expected);
  expect((uris as string[])[0]).toMatch(/\.txt$/);
});

test('Split by another separator, and of nothing', async () => {
  const context = aTaskContext();
  const from = await context.files.put('x', 'a--b--c');
  expect(await texts(context, (await runType(split, { from, separator: '--' }, context)).uris)).toEqual([
    'a--',
    'b--',
    'c--',
  ]);
  const empty = await context.files.put('x', '');
  expect(await runType(split, { from: empty }, context)).toEqual({ uris: [] });
});

test('ForEachItem stores no batch of a file that makes too many of them', async () => {
  const context = aTaskContext();
  const items = await context.files.put('letters.txt', 'a\nb\nc\n');
  expect(await runType(forEachItemSplit, { items, maxBatches: 3 }, context)).toHaveProperty('splits');
  await expect(runType(forEachItemSplit, { items, maxBatches: 2 }, context)).rejects.toThrow(
    'The file makes more than 2 batches, and an execution may have at most 2 iterations.',
  );
});

test.each([
  ['512', 512],
  ['10KB', 10_240],
  ['1.5 MiB', 1_572_864],
  ['2gb', 2_147_483_648],
])('%s is %i bytes', (text, bytes) => expect(parseSize(text)).toBe(bytes));

test.each(['', 'many', '10XB', '-1', '0'])('"%s" is no size', (text) =>
  expect(() => parseSize(text)).toThrow('is no size'),
);

test('Concat takes a list, or the JSON of one', async () => {
  const context = aTaskContext();
  const files = [
    await context.files.put('a', 'A'),
    (await context.files.put('b', 'B')).replace('millrace', 'kestra'),
  ];
  const { uri } = await runType(concat, { files, separator: '\n', extension: '.txt' }, context);
  expect(await context.files.text(String(uri))).toBe('A\nB');
  expect(uri).toMatch(/\.txt$/);
  const again = await runType(concat, { files: JSON.stringify(files) }, context);
  expect(await context.files.text(String(again.uri))).toBe('AB');
});

test('DeduplicateItems keeps the last row of each key', async () => {
  const context = aTaskContext();
  const from = await context.files.put('rows', '{"id":1,"v":"a"}\n{id:2,v:"b"}\n{"id":1,"v":"c"}\n');
  const outputs = await runType(deduplicateItems, { from, expr: '{{ id }}' }, context);
  expect(outputs).toMatchObject({ numKeys: 2, processedItemsTotal: 3, droppedItemsTotal: 1 });
  expect(await lines(context, outputs.uri)).toEqual([
    { id: 2, v: 'b' },
    { id: 1, v: 'c' },
  ]);
});

test.each<[Record<string, unknown>, number[]]>([
  [{ filterCondition: '{{ n > 1 }}' }, [2, 3]],
  [{ filterCondition: '{{ n > 1 }}', filterType: 'EXCLUDE' }, [1]],
  [{ filterCondition: '{{ missing }}', errorOrNullBehavior: 'INCLUDE' }, [1, 2, 3]],
  [{ filterCondition: '{% if n == 2 %}{% else %}true{% endif %}', errorOrNullBehavior: 'EXCLUDE' }, [1, 3]],
])('FilterItems by %j keeps %j', async (choice, kept) => {
  const context = aTaskContext();
  const from = await context.files.put('rows', '{"n":1}\n\n{"n":2}\n{"n":3}');
  const outputs = await runType(filterItems, { from, ...choice }, context);
  const text = (await context.files.text(String(outputs.uri))).trimEnd();
  expect(text.split('\n').map((line) => JSON.parse(line).n)).toEqual(kept);
  expect(outputs).toMatchObject({ processedItemsTotal: 3, droppedItemsTotal: 3 - kept.length });
});

test('FilterItems fails on a row it cannot decide about', async () => {
  const context = aTaskContext();
  const from = await context.files.put('rows', '{"n":1}');
  await expect(runType(filterItems, { from, filterCondition: '{{ missing }}' }, context)).rejects.toThrow(
    'could not be rendered',
  );
});

test('Reverse, Size, Delete, Write', async () => {
  const context = aTaskContext({ variables: { n: 1 } });
  const { uri } = await runType(write, { content: 'a\nb{{ n }}\n', extension: 'csv' }, context);
  expect(uri).toMatch(/\.csv$/);
  expect(await runType(size, { uri }, context)).toEqual({ size: 5 });
  const reversed = await runType(reverse, { from: uri }, context);
  expect(await context.files.text(String(reversed.uri))).toBe('b1\na\n');
  expect(await runType(deleteFile, { uri }, context)).toEqual({ uri, deleted: true });
  expect(await runType(deleteFile, { uri }, context)).toEqual({ uri, deleted: false });
  await expect(runType(deleteFile, { uri, errorOnMissing: true }, context)).rejects.toThrow('does not exist');
  await expect(runType(size, { uri }, context)).rejects.toThrow('does not exist');
});

test('LocalFiles makes files and collects them', async () => {
  const context = aTaskContext();
  const { uris } = await runType(localFiles, { inputs: { 'a.txt': 'A' }, outputs: ['*.txt'] }, context);
  expect(await texts(context, Object.values(uris as object))).toEqual(['A']);
});

test('PurgeCurrentExecutionFiles says what it deleted', async () => {
  const context = aTaskContext();
  const uri = await context.files.put('a', 'A');
  expect(await runType(purgeCurrentExecutionFiles, {}, context)).toEqual({ uris: [uri] });
});
