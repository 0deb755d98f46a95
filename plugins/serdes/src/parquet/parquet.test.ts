import { Decimal, Instant, Real } from '@millrace/expression';
import { expect, test } from 'vitest';
import { bytesOf, convertFile, convertRowsTo, rowsOf } from '../testing/convert.ts';
import { normalized, typedRows } from '../testing/typedRows.ts';
import { ionToParquet, parquetToIon } from './parquetTypes.ts';

async function roundTrip(rows: readonly unknown[], properties = {}) {
  const written = await convertRowsTo(ionToParquet, rows, { timeZoneId: 'UTC', ...properties });
  return rowsOf(await convertFile(parquetToIon, bytesOf(written)));
}

test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD'])(
  'every type comes back as it was, %s',
  async (compressionCodec) => {
    expect(normalized(await roundTrip(typedRows, { compressionCodec }))).toEqual(normalized(typedRows));
  },
);

test('several groups and pages give every row in order', async () => {
  const rows = Array.from({ length: 3000 }, (_, id) => ({
    id,
    text: id % 3 ? `row ${id % 50}` : null,
    list: [id, id + 1],
  }));
  const properties = { rowGroupSize: 20_000, pageSize: 500, dictionaryPageSize: 200 };
  expect(await roundTrip(rows, properties)).toEqual(rows);
});

test('columns may have any name, and rows may lack fields', async () => {
  const rows = [{ 'first name': 'x', 'ü.b': 1 }, { 'first name': 'y' }];
  expect(await roundTrip(rows)).toEqual([rows[0], { 'first name': 'y', 'ü.b': null }]);
});

test('a schema converts texts, and maps keep their keys', async () => {
  const schema = JSON.stringify({
    type: 'record',
    name: 'Row',
    fields: [
      { name: 'amount', type: { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 } },
      { name: 'at', type: ['null', { type: 'long', logicalType: 'timestamp-micros' }] },
      { name: 'more', type: { type: 'map', values: ['null', 'long'] } },
    ],
  });
  const rows = [{ amount: '-12.345', at: '2020-01-01T00:00:00.123456Z', more: { a: '1', b: null } }];
  expect(await roundTrip(rows, { schema })).toEqual([
    { amount: new Decimal(-1234n, 2), at: new Instant(1_577_836_800, 123_456_000), more: { a: 1, b: null } },
  ]);
});

test('decimals that a database wrote are doubles, or decimals of the schema', async () => {
  const rows = '{"price":20.00}\n{"price":20.55}\n';
  const type = { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 };
  const schema = JSON.stringify({ type: 'record', name: 'Row', fields: [{ name: 'price', type }] });
  const read = async (properties: object) =>
    rowsOf(
      await convertFile(parquetToIon, bytesOf(await convertFile(ionToParquet, rows, { ...properties }))),
    );
  expect(await read({})).toEqual([{ price: new Real(20) }, { price: 20.55 }]);
  expect(await read({ schema })).toEqual([
    { price: new Decimal(2000n, 2) },
    { price: new Decimal(2055n, 2) },
  ]);
});

test('says what Parquet cannot hold', async () => {
  const schema = JSON.stringify({
    type: 'record',
    name: 'R',
    fields: [{ name: 'a', type: ['int', 'string'] }],
  });
  await expect(roundTrip([{ a: 1 }], { schema })).rejects.toThrow('"a" is a union of several types');
  await expect(roundTrip([])).rejects.toThrow('a Parquet file needs at least one column');
});

test('a file that is no Parquet file is refused', async () => {
  await expect(convertFile(parquetToIon, 'id,name\n1,2\n'.repeat(10))).rejects.toThrow(
    'The Parquet file cannot be read',
  );
  await expect(convertFile(parquetToIon, '')).rejects.toThrow('The Parquet file cannot be read');
});
