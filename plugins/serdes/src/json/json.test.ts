import { Decimal, Instant, LocalDate, LocalDateTime, Real } from '@millrace/expression';
import { describe, expect, test } from 'vitest';
import { convertFile, convertRowsTo, rowsOf, textOf } from '../testing/convert.ts';
import { ionToJson } from './ionToJson.ts';
import { jsonElements } from './jsonElements.ts';
import { jsonToIon } from './jsonToIon.ts';
import { jsonToJsonl } from './jsonToJsonl.ts';
import { jsonToToon, toonToJson } from './toon.ts';

const read = async (json: string, properties = {}) => rowsOf(await convertFile(jsonToIon, json, properties));
const write = async (rows: unknown[], properties = {}) =>
  textOf(await convertRowsTo(ionToJson, rows, properties));

describe('JsonToIon', () => {
  test('each line is a row, with exact integers', async () => {
    expect(await read('{"a":1}\n\n{"a":12345678901234567890,"b":[null,1.0]}\n')).toEqual([
      { a: 1 },
      { a: 12345678901234567890n, b: [null, new Real(1)] },
    ]);
  });

  test('an array is taken apart, any other value is one row', async () => {
    expect(await read(' [ {"a": "]},"}, [1, 2] , "x\\"" ] \n', { newLine: false })).toEqual([
      { a: ']},' },
      [1, 2],
      'x"',
    ]);
    expect(await read('{"a":\n[1]}', { newLine: false })).toEqual([{ a: [1] }]);
    expect(await read('[]', { newLine: false })).toEqual([]);
  });

  test('says on which line the file is wrong', async () => {
    await expect(read('{"a":1}\n{"a"\n')).rejects.toThrow('Line 2 is invalid JSON');
    await expect(read('[1,\n2,\n{oops}]', { newLine: false })).rejects.toThrow(/Line [23] is invalid JSON/);
    await expect(read('[1,]', { newLine: false })).rejects.toThrow('there is no value before "]"');
    await expect(read('[1', { newLine: false })).rejects.toThrow('the array is not closed');
    await expect(read('[1] 2', { newLine: false })).rejects.toThrow('text after the end');
    await expect(read('{a:1}')).rejects.toThrow('Line 1 is invalid JSON');
  });

  test('pieces of any size give the same elements', async () => {
    const json = ' \n[{"a":"\\\\\\"],["},\n [1,[2]],\n"\\u0041"\n]';
    const readIn = async (size: number) => {
      async function* pieces() {
        for (let at = 0; at < json.length; at += size) yield json.slice(at, at + size);
      }
      const found = [];
      for await (const { text } of jsonElements(pieces())) found.push(JSON.parse(text));
      return found;
    };
    const whole = await readIn(json.length);
    expect(whole).toEqual([{ a: '\\"],[' }, [1, [2]], 'A']);
    for (let size = 1; size < json.length; size++)
      expect(await readIn(size), `pieces of ${size}`).toEqual(whole);
  });
});

describe('IonToJson', () => {
  test('writes lines, an array, or a single value', async () => {
    expect(await write([{ a: 1 }, null])).toBe('{"a":1}\nnull\n');
    expect(JSON.parse(await write([1, 2, 3], { newLine: false }))).toEqual([1, 2, 3]);
    expect(await write([{ a: 1 }], { newLine: false })).toBe('{"a":1}\n');
    expect(await write([], { newLine: false })).toBe('[]\n');
  });

  test('writes exact numbers and dates in the zone', async () => {
    const row = {
      a: new Decimal(110n, 2),
      b: 2n ** 70n,
      c: new Instant(0, 0),
      d: new LocalDate(0),
      e: new Real(1),
    };
    expect(await write([row], { timeZoneId: 'UTC' })).toBe(
      '{"a":1.10,"b":1180591620717411303424,"c":"1970-01-01T00:00:00Z","d":"1970-01-01","e":1.0}\n',
    );
    expect(await write([{ c: row.c }], { timeZoneId: 'Asia/Tokyo' })).toContain('1970-01-01T09:00:00+09:00');
  });

  test('keeps the zeros and all digits of decimals that a database wrote', async () => {
    const rows = '{"price":20.00,"list":[1.50,12345678901234567.891]}\n';
    expect(await textOf(await convertFile(ionToJson, rows))).toBe(rows);
    expect(await textOf(await convertFile(jsonToIon, rows))).toContain('"price":20.00e0');
  });

  test('keeps annotations when asked', async () => {
    expect(
      JSON.parse(await write([{ a: new LocalDateTime(0, 0) }], { shouldKeepAnnotations: true })),
    ).toEqual({
      a: { ion_annotations: ['LocalDateTime'], value: '1970-01-01T00:00' },
    });
  });

  test('what it writes is read again', async () => {
    const rows = [{ s: 'ü "x"\n\u0000', n: null, list: [[], {}], big: 9007199254740993n, f: 0.1, t: true }];
    for (const newLine of [true, false])
      expect(await read(await write(rows, { newLine }), { newLine })).toEqual(rows);
  });
});

test('JsonToJsonl writes elements as they are', async () => {
  const lines = await convertFile(jsonToJsonl, '[ {"a": 1.10,\n "b": "x  y"} , 2 ]');
  expect(await textOf(lines)).toBe('{"a":1.10,"b":"x  y"}\n2\n');
  expect(lines.size).toBe(2);
  await expect(convertFile(jsonToJsonl, '[{"a":}]')).rejects.toThrow('Line 1 is invalid JSON');
});

test('TOON holds what JSON holds', async () => {
  const value = {
    users: [
      { id: 1, name: 'Ada, Countess' },
      { id: 2, name: 'Bob' },
    ],
    ok: true,
    none: null,
  };
  const toon = await textOf(await convertFile(jsonToToon, JSON.stringify(value)));
  expect(toon).toContain('users[2]{id,name}:');
  expect(JSON.parse(await textOf(await convertFile(toonToJson, toon)))).toEqual(value);
  await expect(convertFile(jsonToToon, '{')).rejects.toThrow('not JSON');
});
