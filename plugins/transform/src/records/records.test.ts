import { Decimal, Instant } from '@millrace/expression';
import { readTypedRows, type TaskDefinition, writeTypedRows } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { aggregateRecords } from './aggregate.ts';
import { filterRecords } from './filter.ts';
import { mapRecords } from './map.ts';
import { selectRecords } from './select.ts';
import { unnestRecords } from './unnest.ts';
import { zipRecords } from './zip.ts';

const run = async (definition: TaskDefinition, properties: object) => {
  const context = aTaskContext();
  const { records } = await runType(definition, { ...properties }, context);
  return { records, counts: Object.fromEntries(context.metrics.map(({ name, value }) => [name, value])) };
};

describe('expressions', () => {
  const record = {
    a: 1,
    b: 2.5,
    s: 'x',
    n: null,
    list: [{ p: 1.1 }, { p: 2.2 }, { p: null }],
    deep: { x: [10, 20] },
    t: true,
    big: 12345678901234567890n,
    at: new Instant(0, 0),
  };
  const value = async (expr: string) => {
    const { records } = await run(mapRecords, { from: [record], fields: { v: expr }, dropNulls: false });
    return (records as { v: unknown }[])[0]?.v;
  };

  test.each([
    ['a + b * 2', 6],
    ['0.1 + 0.2', 0.3],
    ['10 / 4', 2.5],
    ['1 / 3', 0.3333333333],
    ['2 / 3', 0.6666666667],
    ['a / 0', null],
    ['-a - -2', 1],
    ['(a + 1) * 3', 6],
    ['a > 0 && !(s == "y")', true],
    ['n == null', true],
    ['n > 1', null],
    ['missing.field', null],
    ['missing || t', true],
    ['deep.x[1]', 20],
    ['deep.x[9]', null],
    ['sum(list[].p)', 3.3],
    ['avg(list[].p)', 1.65],
    ['count(list[].p)', 2],
    ['max(deep.x)', 20],
    ['MIN(3, 1, 2)', 1],
    ['coalesce(n, missing, "z")', 'z'],
    ["concat(s, '-', a)", 'x-1'],
    ['toInt("42") + 1', 43],
    ['toString(b)', '2.5'],
    ['toBoolean("true")', true],
    ['at < "2020-01-01T00:00:00Z"', true],
    ['parseTimestamp("1970-01-01") == at', true],
    ['big + 1', '12345678901234567891'],
  ])('%s', async (expr, expected) => {
    expect(await value(expr)).toEqual(expected);
  });

  test('a mistake is named with its place', async () => {
    await expect(value('a +')).rejects.toThrow('The expression "a +" is invalid: it ends too early.');
    await expect(value('a ? b')).rejects.toThrow('"?" at position 2 was not expected');
    await expect(value('nope(a)')).rejects.toThrow(
      'Record 1 cannot be transformed: the field "v": there is no function "nope".',
    );
    await expect(value('s + 1')).rejects.toThrow('"x" is no number');
  });
});

test('Map casts, keeps fields and treats failures as asked', async () => {
  const from = [
    { id: '1', x: 'a' },
    { id: 'oops', x: 'b' },
  ];
  const fields = { n: { expr: 'id', type: 'INT' } };
  await expect(run(mapRecords, { from, fields })).rejects.toThrow('Record 2 cannot be transformed');
  expect(await run(mapRecords, { from, fields, onError: 'SKIP', keepOriginalFields: true })).toEqual({
    records: [{ id: '1', x: 'a', n: 1 }],
    counts: { processed: 2, failed: 1, dropped: 1 },
  });
  expect(await run(mapRecords, { from, fields, onError: 'NULL', dropNulls: false })).toEqual({
    records: [{ n: 1 }, { n: null }],
    counts: { processed: 2, failed: 1, dropped: 0 },
  });
  await expect(run(mapRecords, { from: [{}], fields })).rejects.toThrow('it is missing, and not optional');
  const optional = { n: { expr: 'id', type: 'INT', optional: true } };
  expect((await run(mapRecords, { from: [{}], fields: optional })).records).toEqual([{}]);
});

test('a file gives a file, with exact types', async () => {
  const context = aTaskContext();
  const from = await context.files.put(
    'rows.ion',
    writeTypedRows([{ p: new Decimal(110n, 2), q: 3 }]).content,
  );
  const { uri, records } = await runType(mapRecords, { from, fields: { total: 'p * q' } }, context);
  expect(records).toBeUndefined();
  const rows = [];
  for await (const row of readTypedRows(context, String(uri))) rows.push(row);
  expect(rows).toEqual([{ total: new Decimal(33n, 1) }]);
  expect(await runType(mapRecords, { from, fields: { q: 'q' }, outputType: 'RECORDS' }, context)).toEqual({
    records: [{ q: 3 }],
  });
});

test('Filter keeps what matches', async () => {
  const from = JSON.stringify([{ a: 1 }, { a: 5 }, {}, { a: 'x' }]);
  await expect(run(filterRecords, { from, where: 'a > 2' })).rejects.toThrow('Record 4');
  expect(await run(filterRecords, { from, where: 'a > 2', onError: 'KEEP' })).toEqual({
    records: [{ a: 5 }, { a: 'x' }],
    counts: { processed: 4, passed: 2, dropped: 2, failed: 1 },
  });
  await expect(run(filterRecords, { from, where: 'a', onError: 'FAIL' })).rejects.toThrow(
    'neither true nor false',
  );
  await expect(run(filterRecords, { from: 'no json', where: 'a' })).rejects.toThrow(
    'neither the URI of a file nor JSON',
  );
});

test('Aggregate groups and computes', async () => {
  const from = [
    { c: 'FR', x: 1, y: { n: 'a' } },
    { c: 'DE', x: 2.5, y: { n: 'b' } },
    { c: 'FR', x: 4, y: { n: 'c' } },
    { c: 'FR', x: null, y: null },
  ];
  const aggregates = {
    rows: 'count()',
    values: 'count(x)',
    total: { expr: 'sum(x * 2)', type: 'DECIMAL' },
    mean: 'sum(x) / count(x)',
    average: 'avg(x)',
    low: 'min(x)',
    high: 'max(x)',
    one: 'first(y.n)',
    end: 'last(y.n)',
    maps: 'count(y)',
  };
  expect(await run(aggregateRecords, { from, groupBy: ['c'], aggregates })).toEqual({
    records: [
      {
        c: 'FR',
        rows: 3,
        values: 2,
        total: 10,
        mean: 2.5,
        average: 2.5,
        low: 1,
        high: 4,
        one: 'a',
        end: 'c',
        maps: 2,
      },
      {
        c: 'DE',
        rows: 1,
        values: 1,
        total: 5,
        mean: 2.5,
        average: 2.5,
        low: 2.5,
        high: 2.5,
        one: 'b',
        end: 'b',
        maps: 1,
      },
    ],
    counts: { processed: 4, groups: 2, dropped: 0, failed: 0 },
  });
  await expect(run(aggregateRecords, { from, groupBy: [], aggregates: { a: 'x' } })).rejects.toThrow(
    'must use one of count',
  );
  const wrong = { from: [{ c: 1, x: 'q' }], groupBy: ['c'], aggregates: { s: 'sum(x + 1)' } };
  await expect(run(aggregateRecords, wrong)).rejects.toThrow('Record 1');
  expect((await run(aggregateRecords, { ...wrong, onError: 'NULL' })).records).toEqual([{ c: 1, s: null }]);
  expect((await run(aggregateRecords, { ...wrong, onError: 'SKIP' })).records).toEqual([]);
});

test('Unnest makes a record of each item', async () => {
  const from = [
    { id: 1, items: ['a', 'b'] },
    { id: 2, items: [] },
    { id: 3, items: 'x' },
  ];
  const options = { from, path: 'items', as: 'item' };
  await expect(run(unnestRecords, options)).rejects.toThrow(
    'Record 3 cannot be transformed: there is no list at the path.',
  );
  expect(await run(unnestRecords, { ...options, onError: 'SKIP' })).toEqual({
    records: [
      { id: 1, item: 'a' },
      { id: 1, item: 'b' },
    ],
    counts: { processed: 3, failed: 1, dropped: 1 },
  });
  expect(
    (await run(unnestRecords, { ...options, onError: 'NULL', keepOriginalFields: false })).records,
  ).toEqual([{ item: 'a' }, { item: 'b' }, { item: null }]);
});

test('Zip merges by position', async () => {
  const inputs = [[{ a: 1, k: 1 }], [{ b: 2, k: 2 }]];
  await expect(run(zipRecords, { inputs })).rejects.toThrow('several inputs have the field "k"');
  expect((await run(zipRecords, { inputs, onConflict: 'LEFT' })).records).toEqual([{ a: 1, k: 1, b: 2 }]);
  expect((await run(zipRecords, { inputs, onConflict: 'RIGHT' })).records).toEqual([{ a: 1, k: 2, b: 2 }]);
  await expect(run(zipRecords, { inputs: [[{ a: 1 }], []] })).rejects.toThrow('one ends before record 1');
});

test('Select joins, filters and projects', async () => {
  const inputs = [
    [
      { id: 1, p: 10 },
      { id: 2, p: 20 },
    ],
    [
      { id: 1, p: 10 },
      { id: 2, p: 25 },
    ],
  ];
  const fields = { id: 'id', d: '$2.p - $1.p' };
  expect(await run(selectRecords, { inputs, where: '$1.p != $2.p', fields })).toEqual({
    records: [{ id: 2, d: 5 }],
    counts: { processed: 2, passed: 1, dropped: 1, failed: 0 },
  });
  expect((await run(selectRecords, { inputs, keepInputFields: [2], fields: { x: '$1.p' } })).records).toEqual(
    [
      { id: 1, p: 10, x: 10 },
      { id: 2, p: 25, x: 20 },
    ],
  );
  const uneven = { inputs: [[{ a: 1 }, { a: 2 }], [{ b: 1 }]] };
  await expect(run(selectRecords, uneven)).rejects.toThrow('one ends before record 2');
  expect((await run(selectRecords, { ...uneven, onLengthMismatch: 'SKIP' })).records).toEqual([
    { a: 1, b: 1 },
  ]);
  await expect(run(selectRecords, { inputs, keepInputFields: [3] })).rejects.toThrow(
    'names the input 3, and there are 2',
  );
});
