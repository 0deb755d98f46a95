import { deflateRawSync } from 'node:zlib';
import { Decimal, Instant, LocalDate } from '@millrace/expression';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import avro from 'avsc';
import { describe, expect, test } from 'vitest';
import { bytesOf, convertFile, convertRowsTo, rowsOf } from '../testing/convert.ts';
import { normalized, typedRows } from '../testing/typedRows.ts';
import { avroToIon, inferAvroSchema, ionToAvro } from './avroTypes.ts';

const record = (...fields: unknown[]) => JSON.stringify({ type: 'record', name: 'Row', fields });

async function roundTrip(rows: readonly unknown[], properties = {}) {
  const written = await convertRowsTo(ionToAvro, rows, { timeZoneId: 'UTC', ...properties });
  return rowsOf(await convertFile(avroToIon, bytesOf(written)));
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777);
}

/** Reads the file with another implementation. */
function readElsewhere(bytes: Buffer): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const rows: unknown[] = [];
    const decoder = new avro.streams.BlockDecoder();
    decoder.on('data', (row: unknown) => rows.push(row));
    decoder.on('end', () => resolve(rows));
    decoder.on('error', reject);
    decoder.end(bytes);
  });
}

test('every type comes back as it was, with an inferred schema', async () => {
  expect(normalized(await roundTrip(typedRows))).toEqual(normalized(typedRows));
});

test('another implementation reads what is written', async () => {
  const schema = record(
    { name: 'id', type: 'long' },
    { name: 'name', type: ['null', 'string'] },
    { name: 'ratio', type: 'double' },
    { name: 'kind', type: { type: 'enum', name: 'Kind', symbols: ['A', 'B'] } },
    { name: 'tags', type: { type: 'map', values: 'int' } },
    { name: 'raw', type: { type: 'fixed', name: 'Raw', size: 2 } },
  );
  const row = { id: -300, name: 'ü', ratio: 1.5, kind: 'B', tags: { a: 7 }, raw: Buffer.from([1, 2]) };
  const written = await convertRowsTo(ionToAvro, [row, { ...row, name: null }], { schema });
  const read = JSON.parse(JSON.stringify(await readElsewhere(bytesOf(written))));
  expect(read).toMatchObject([
    { id: -300, name: 'ü', ratio: 1.5, kind: 'B', tags: { a: 7 } },
    { name: null },
  ]);
});

test('reads what another implementation writes, compressed, in pieces', async () => {
  const schema = {
    type: 'record',
    name: 'Row',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'day', type: 'int' },
      { name: 'text', type: ['null', 'string'] },
    ],
  } as const;
  const encoder = new avro.streams.BlockEncoder(avro.Type.forSchema(schema as never), {
    codec: 'deflate',
    codecs: { deflate: (bytes, done) => done(null as never, deflateRawSync(bytes)) },
  });
  const chunks: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => encoder.on('end', resolve));
  for (let id = 0; id < 5000; id++) encoder.write({ id, day: id, text: id % 2 ? `row ${id}` : null });
  encoder.end();
  await ended;
  const bytes = Buffer.concat(chunks);
  const context = aTaskContext();
  const read = context.files.read.bind(context.files);
  // Storage returns a file in chunks.
  context.files.read = async (uri) => (uri.endsWith('input') ? inPieces(bytes) : read(uri));
  const result = await convertFile(avroToIon, bytes, {}, context);
  expect(result.size).toBe(5000);
  expect((await rowsOf(result)).slice(0, 2)).toEqual([
    { id: 0, day: 0, text: null },
    { id: 1, day: 1, text: 'row 1' },
  ]);
});

describe('texts become the types of the schema', () => {
  const convert = async (type: unknown, value: unknown, properties = {}) => {
    const schema = record({ name: 'a', type });
    const [row] = await roundTrip([{ a: value }], { schema, ...properties });
    return (row as { a: unknown }).a; // the only field
  };
  const logical = (type: string, logicalType: string, more = {}) => ({ type, logicalType, ...more });

  test.each([
    ['boolean', 'YES', true],
    ['boolean', '', false],
    ['int', '42', 42],
    ['long', '9223372036854775807', 9223372036854775807n],
    ['double', '1.5', 1.5],
    [['null', 'double'], 'n/a', null],
    [['null', 'long', 'string'], 'x1', 'x1'],
    [['null', 'long', 'string'], '12', 12],
    ['string', 12, '12'],
    ['bytes', 'é', Buffer.from('é')],
  ])('%j of %j', async (type, value, expected) => {
    expect(normalized([await convert(type, value)])).toEqual(normalized([expected]));
  });

  test('decimals are rounded half to even and refused when too long', async () => {
    const type = logical('bytes', 'decimal', { precision: 4, scale: 1 });
    expect(await convert(type, '1.25')).toEqual(new Decimal(12n, 1));
    expect(await convert(type, '-1.35')).toEqual(new Decimal(-14n, 1));
    expect(await convert(type, '1,5', { decimalSeparator: ',' })).toEqual(new Decimal(15n, 1));
    await expect(convert(type, '12345')).rejects.toThrow('more digits than a decimal(4, 1)');
  });

  test('dates follow their patterns, and timestamps without a zone the time zone', async () => {
    expect(await convert(logical('int', 'date'), '02/01/1970', { dateFormat: 'dd/MM/yyyy' })).toEqual(
      new LocalDate(1),
    );
    const timestamp = logical('long', 'timestamp-millis');
    expect(await convert(timestamp, '1970-01-01T01:00', { timeZoneId: 'Europe/Paris' })).toEqual(
      new Instant(0, 0),
    );
    expect(await convert(timestamp, 1500)).toEqual(new Instant(1, 500_000_000));
    expect(await convert(timestamp, '1970-01-01T00:00:01.5Z')).toEqual(new Instant(1, 500_000_000));
    await expect(convert(timestamp, 'yesterday')).rejects.toThrow(
      'Row 1 cannot be written: the field "a" is invalid',
    );
  });
});

describe('rows that do not fit', () => {
  const schema = record({ name: 'a', type: ['null', 'int'] }, { name: 'b', type: 'int' });

  test('fail, become null or are dropped', async () => {
    const rows = [
      { a: 'x', b: 1 },
      { a: 2, b: 'y' },
      { a: 3, b: 4 },
    ];
    await expect(roundTrip(rows, { schema })).rejects.toThrow(
      'Row 1 cannot be written: the field "a" is invalid: "x" is no int',
    );
    expect(await roundTrip(rows, { schema, onBadLines: 'SKIP' })).toEqual([
      { a: null, b: 1 },
      { a: 3, b: 4 },
    ]);
    const warned = await convertRowsTo(ionToAvro, rows, { schema, onBadLines: 'WARN' });
    expect(warned.context.logs.map(({ message }) => message)).toEqual([
      expect.stringContaining('It is written as null'),
      expect.stringContaining('Row 2 was dropped'),
    ]);
  });

  test('extra fields fail only when the schema is strict', async () => {
    const rows = [{ a: 1, b: 2, c: 3 }];
    expect(await roundTrip(rows, { schema })).toEqual([{ a: 1, b: 2 }]);
    await expect(roundTrip(rows, { schema, strictSchema: true })).rejects.toThrow(
      'fields that the schema lacks: c',
    );
  });

  test('aliases, defaults and positions give values', async () => {
    const other = record(
      { name: 'a', aliases: ['old'], type: 'int' },
      { name: 'b', type: 'int', default: 9 },
    );
    expect(await roundTrip([{ old: 1 }], { schema: other })).toEqual([{ a: 1, b: 9 }]);
    expect(await roundTrip([{ col0: '1', col1: '2' }, ['3', '4']], { schema })).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]);
  });
});

test('an inferred schema widens what differs and names fields as Avro wants', async () => {
  const rows = [
    { 'my field': 1, mixed: 1, text: 1, none: null },
    { 'my field': 2.5, mixed: new Decimal(105n, 2), text: 'x', none: null },
  ];
  const context = aTaskContext();
  const from = (await convertRowsTo(ionToAvro, rows, {}, context)) && 'millrace:///files/0/rows.ion';
  const { uri } = await runType(inferAvroSchema, { from }, context);
  const schema = JSON.parse(await context.files.text(String(uri)));
  expect(schema.fields.map(({ name, type }: { name: string; type: unknown[] }) => [name, type[1]])).toEqual([
    ['my_field', 'double'],
    ['mixed', { type: 'bytes', logicalType: 'decimal', precision: 38, scale: 2 }],
    ['text', 'string'],
    ['none', 'string'],
  ]);
  avro.Type.forSchema(schema);
});

test('a file that is damaged or no Avro file is refused', async () => {
  await expect(convertFile(avroToIon, 'id,name\n')).rejects.toThrow('The file is no Avro file.');
  await expect(convertFile(avroToIon, '')).rejects.toThrow('no Avro file');
  const bytes = bytesOf(await convertRowsTo(ionToAvro, [{ a: 'x' }]));
  await expect(convertFile(avroToIon, bytes.subarray(0, -3))).rejects.toThrow(
    'The Avro file is damaged: in block 1',
  );
  const kept = await convertFile(avroToIon, Buffer.concat([bytes, Buffer.from([2, 99])]), {
    onBadLines: 'WARN',
  });
  expect(kept.size).toBe(1);
  expect(kept.context.logs).toHaveLength(1);
  await expect(convertRowsTo(ionToAvro, [], { schema: '{"type":"rec' })).rejects.toThrow(
    'The Avro schema is invalid',
  );
});
