import {
  Decimal,
  Duration,
  Instant,
  LocalDate,
  LocalDateTime,
  LocalTime,
  parseZoned,
  Real,
} from '@millrace/expression';
import { describe, expect, test } from 'vitest';
import { aTaskContext } from '../testing/index.ts';
import { toIonText } from './ionText.ts';
import { readIonText, readJsonText } from './readIonText.ts';
import { readTypedRows, writeTypedRows } from './typedRows.ts';

const values: readonly (readonly [string, unknown, string])[] = [
  ['null', null, 'null'],
  ['a text with quotes, a line break and an emoji', 'a "b"\n\\ 😀', '"a \\"b\\"\\n\\\\ 😀"'],
  ['an integer', -7, '-7'],
  ['a large integer', 12345678901234567890n, '12345678901234567890'],
  ['a double', 1.5, '1.5e0'],
  ['an integral double', new Real(10), '10e0'],
  ['a double with the zeros of a price', new Real(20, false, '20.00'), '20.00e0'],
  ['a tiny double', 1e-300, '1e-300'],
  ['infinity', -Infinity, '-inf'],
  ['a decimal with its scale', new Decimal(110n, 2), '1.10d0'],
  [
    'a decimal of many digits',
    new Decimal(123456789012345678901234567890n, 10),
    '12345678901234567890.1234567890d0',
  ],
  ['an instant', new Instant(1_600_000_000, 5_000_000), '2020-09-13T12:26:40.005Z'],
  ['a date', new LocalDate(18_628), '2021-01-01'],
  ['a local date and time', new LocalDateTime(3600, 0), 'LocalDateTime::"1970-01-01T01:00"'],
  ['a time', new LocalTime(3661, 0), 'LocalTime::"01:01:01"'],
  ['a duration', new Duration(90, 0), 'Duration::"PT1M30S"'],
  ['bytes', Buffer.from([0, 255, 7]), '{{AP8H}}'],
  ['a list', [1, [2.5], null], '[1,[2.5e0],null]'],
  ['a map', { 'a b': { c: true } }, '{"a b":{"c":true}}'],
];

test.each(values)('%s keeps its type', (_, value, text) => {
  expect(toIonText(value)).toBe(text);
  expect(readIonText(text)).toEqual(value);
});

test('a time with a zone keeps its zone', () => {
  const value = parseZoned('2020-01-01T10:00+01:00[Europe/Paris]');
  expect(String(readIonText(toIonText(value)))).toBe('2020-01-01T10:00+01:00[Europe/Paris]');
});

test('a date out of the range of Ion is annotated', () => {
  const value = new Instant(-99_999_999_999, 0);
  expect(readIonText(toIonText(value))).toEqual(value);
});

test('not a number is read again', () => {
  expect(readIonText(toIonText({ x: Number.NaN }))).toEqual({ x: Number.NaN });
});

describe('lines that others have written', () => {
  test('a fraction is a double in JSON and a decimal in Ion', () => {
    expect(readIonText('{"a":1.5,"b":10.0}')).toEqual({ a: 1.5, b: new Real(10) });
    expect(readIonText('[20.00,-0.50,0.30000000000000004]')).toEqual([
      new Real(20, false, '20.00'),
      new Real(-0.5, false, '-0.50'),
      0.30000000000000004,
    ]);
    expect(readIonText('[12345678901234567.891]')).toEqual([new Decimal(12345678901234567891n, 3)]);
    expect(readIonText('{a:1.5,b:10.0}')).toEqual({ a: new Decimal(15n, 1), b: new Decimal(100n, 1) });
  });

  test('symbols, comments and long texts are read by the full reader', () => {
    expect(readIonText("{a:b /* why */, 'c d':'''long''', e:0xff}")).toEqual({
      a: 'b',
      'c d': 'long',
      e: 255,
    });
  });

  test('a field called __proto__ is a field like any other', () => {
    const row = readIonText('{"__proto__":1.5}') as object; // a map was written
    expect(Object.keys(row)).toEqual(['__proto__']);
  });

  test('JSON alone refuses Ion', () => {
    expect(() => readJsonText('{a:1}')).toThrow(SyntaxError);
    expect(readJsonText('[9007199254740993]')).toEqual([9007199254740993n]);
  });
});

test('rows are written and read with back-pressure and counted', async () => {
  const context = aTaskContext();
  const writer = writeTypedRows([{ a: 1n }, { a: new LocalDate(0) }, null]);
  const uri = await context.files.put('rows.ion', writer.content);
  expect(writer.count).toBe(3);
  const rows: unknown[] = [];
  for await (const row of readTypedRows(context, uri)) rows.push(row);
  expect(rows).toEqual([{ a: 1 }, { a: new LocalDate(0) }, null]);
});

test('a line that is no value is named by its number', async () => {
  const context = aTaskContext();
  const uri = await context.files.put('rows.ion', '{"a":1}\n{"a":\n');
  await expect(async () => {
    for await (const _ of readTypedRows(context, uri));
  }).rejects.toThrow('Line 2 is neither JSON nor Ion');
});
