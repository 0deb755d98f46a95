import { spawnSync } from 'node:child_process';
import {
  Decimal,
  Instant,
  LocalDate,
  LocalDateTime,
  LocalTime,
  parseZoned,
  Real,
} from '@millrace/expression';
import { describe, expect, test } from 'vitest';
import { convertFile, convertRowsTo, rowsOf, textOf } from '../testing/convert.ts';
import { CsvReader } from './csvReader.ts';
import { csvToIon } from './csvToIon.ts';
import { ionToCsv } from './ionToCsv.ts';

describe('CsvToIon', () => {
  const read = async (content: string | Uint8Array, properties = {}) =>
    rowsOf(await convertFile(csvToIon, content, properties));

  test('reads quotes, separators and line breaks inside fields, a byte order mark and \\N', async () => {
    const csv = '\uFEFFid,name,note\r\n1,"Doe, ""J""","two\r\nlines"\r\n2,日本😀,\\N\r\n';
    expect(await read(csv)).toEqual([
      { id: '1', name: 'Doe, "J"', note: 'two\r\nlines' },
      { id: '2', name: '日本😀', note: null },
    ]);
  });

  test('counts rows as output and metric', async () => {
    const { size, context } = await convertFile(csvToIon, 'a\n1\n2\n');
    expect(size).toBe(2);
    expect(context.metrics).toEqual([{ name: 'records', type: 'counter', value: 2 }]);
  });

  test('without a header each row is a list', async () => {
    expect(await read('1;2\n3;\n', { header: false, fieldSeparator: ';' })).toEqual([
      ['1', '2'],
      ['3', ''],
    ]);
  });

  test('reads other character sets', async () => {
    expect(await read(Buffer.from('stra\xdfe\nK\xf6ln\n', 'latin1'), { charset: 'ISO-8859-1' })).toEqual([
      { straße: 'Köln' },
    ]);
    const utf16 = Buffer.from('\uFEFFa\nü\n', 'utf16le');
    expect(await read(utf16, { charset: 'UTF-16' })).toEqual([{ a: 'ü' }]);
    await expect(read('a\n', { charset: 'no-such' })).rejects.toThrow('"no-such" is unknown');
  });

  test('a tab may be written with a backslash', async () => {
    expect(await read('a\tb\n1\t2\n', { fieldSeparator: '\\t' })).toEqual([{ a: '1', b: '2' }]);
    await expect(read('a\n', { fieldSeparator: '::' })).rejects.toThrow(
      '"fieldSeparator" must be one character',
    );
  });

  test('skips rows after the header, and empty rows when asked', async () => {
    expect(await read('a,b\nx,x\n1,2\n', { skipRows: 1 })).toEqual([{ a: '1', b: '2' }]);
    expect(await read('a,b\n\n1,2\n\n', { skipEmptyRows: true })).toEqual([{ a: '1', b: '2' }]);
  });

  describe('a row with another number of fields', () => {
    const csv = 'a,b\n1,2\n"x\ny",4,5\n6,7\n';

    test('fails with the number of its line', async () => {
      await expect(read(csv)).rejects.toThrow('Line 3 is invalid: it has 3 fields and 2 were expected.');
    });

    test('is dropped, with a warning when asked', async () => {
      const warned = await convertFile(csvToIon, csv, { onBadLines: 'WARN' });
      expect(await rowsOf(warned)).toHaveLength(2);
      expect(warned.context.logs).toEqual([
        { level: 'WARN', message: expect.stringContaining('Line 3 was dropped') },
      ]);
      const skipped = await convertFile(csvToIon, csv, { onBadLines: 'SKIP' });
      expect(await rowsOf(skipped)).toHaveLength(2);
      expect(skipped.context.logs).toEqual([]);
    });

    test('is kept when the old property says so', async () => {
      expect(await read('a,b\n1\n', { errorOnDifferentFieldCount: false })).toEqual([{ a: '1', b: null }]);
    });
  });

  test('broken quotes are bad lines too', async () => {
    await expect(read('a\n"1"x\n')).rejects.toThrow('Line 2 is invalid: "x" follows a closing quote.');
    expect(await read('a\n"1"x\n', { allowExtraCharsAfterClosingQuote: true })).toEqual([{ a: '1x' }]);
    await expect(read('a\n"1\n2\n')).rejects.toThrow('the quoted field that begins on line 2 is not closed');
  });

  test('columns without a name are dropped or named, and of two with one name the last wins', async () => {
    const dropped = await convertFile(csvToIon, 'a,,a,\n1,2,3,4\n');
    expect(await rowsOf(dropped)).toEqual([{ a: '3' }]);
    expect(dropped.context.logs[0]?.message).toBe('2 columns without a name were dropped.');
    expect(await read('a,,col_1\n1,2,3\n', { onEmptyHeader: 'RENAME' })).toEqual([
      { a: '1', col_1_2: '2', col_1: '3' },
    ]);
  });

  test('a field or row that is too long fails instead of filling the memory', async () => {
    await expect(read(`a\n${'x'.repeat(50)}\n`, { maxFieldSize: 10 })).rejects.toThrow(
      '"maxFieldSize" allows (10',
    );
    await expect(read('a,b\n123456,123456\n', { maxBufferSize: 10 })).rejects.toThrow('"maxBufferSize"');
  });

  test('an empty file has no rows', async () => {
    expect(await read('')).toEqual([]);
  });

  test('pieces of any size give the same records', () => {
    const csv = 'a,b\r\n"x ""y""\r\n z",2\r\r\n,"",\r\n"q"';
    const format = {
      separator: ',',
      quote: '"',
      allowExtraAfterQuote: false,
      maxFieldSize: 100,
      maxRecordSize: 100,
    };
    const readIn = (size: number) => {
      const reader = new CsvReader(format);
      const records = [];
      for (let at = 0; at < csv.length; at += size) records.push(...reader.read(csv.slice(at, at + size)));
      return [...records, ...reader.end()];
    };
    const whole = readIn(csv.length);
    expect(whole.map(({ fields }) => fields)).toEqual([
      ['a', 'b'],
      ['x "y"\r\n z', '2'],
      [''],
      ['', '', ''],
      ['q'],
    ]);
    for (let size = 1; size < csv.length; size++) expect(readIn(size), `pieces of ${size}`).toEqual(whole);
  });
});

describe('IonToCsv', () => {
  const write = async (rows: unknown[], properties = {}) =>
    textOf(await convertRowsTo(ionToCsv, rows, properties));

  test('quotes what needs it', async () => {
    const rows = [
      { a: 'x,y', b: 'say "hi"' },
      { a: 'two\nlines', b: null },
    ];
    expect(await write(rows)).toBe('a,b\n"x,y","say ""hi"""\n"two\nlines",\n');
    expect(await write([{ a: 1, b: 'x' }], { quoteMode: 'NON_NUMERIC' })).toBe('"a","b"\n1,"x"\n');
    expect(await write([{ a: 1 }], { alwaysDelimitText: true, lineDelimiter: '\r\n' })).toBe(
      '"a"\r\n"1"\r\n',
    );
    expect(await write([{ a: 1 }], { alwaysDelimitText: true, quoteMode: 'REQUIRED' })).toBe('a\n1\n');
  });

  test('writes dates by their patterns, UTC or the given zone', async () => {
    const row = {
      instant: new Instant(1_600_000_000, 0),
      local: new LocalDateTime(1_600_000_000, 0),
      zoned: parseZoned('2020-09-13T12:26:40Z'),
      date: new LocalDate(18_628),
      time: new LocalTime(3661, 0),
    };
    expect(await write([row], { header: false, timeZoneId: 'Europe/Paris' })).toBe(
      '2020-09-13T12:26:40.000Z,2020-09-13T12:26:40.000Z,2020-09-13T14:26:40.000+02:00,2021-01-01,01:01:01\n',
    );
    expect(await write([{ d: row.date }], { header: false, dateFormat: 'dd.MM.yyyy' })).toBe('01.01.2021\n');
  });

  test('writes exact numbers, and lists and maps as JSON', async () => {
    const row = { a: new Decimal(110n, 2), b: 12345678901234567890n, c: new Real(1), d: [1, { x: 'y' }] };
    expect(await write([row], { header: false })).toBe('1.10,12345678901234567890,1.0,"[1,{""x"":""y""}]"\n');
  });

  test('keeps the zeros and all digits of decimals that a database wrote', async () => {
    const rows = '{"id":1,"price":20.00}\n{"id":2,"price":-0.50}\n{"id":3,"price":12345678901234567.891}\n';
    expect(await textOf(await convertFile(ionToCsv, rows))).toBe(
      'id,price\n1,20.00\n2,-0.50\n3,12345678901234567.891\n',
    );
  });

  test('aligns rows by name and warns of fields that the first row lacks', async () => {
    const result = await convertRowsTo(ionToCsv, [{ a: 1, b: 2 }, { b: 4 }, { b: 6, a: 5, c: 7 }]);
    expect(await textOf(result)).toBe('a,b\n1,2\n,4\n5,6\n');
    expect(result.context.logs[0]?.message).toContain('left out: c');
  });

  test('lists have no names for a header', async () => {
    await expect(write([[1, 2]])).rejects.toThrow('set "header: false"');
    expect(await write([[1, 'x']], { header: false })).toBe('1,x\n');
  });

  test('writes other character sets', async () => {
    const { context, uri } = await convertRowsTo(ionToCsv, [{ a: 'ü' }], {
      charset: 'ISO-8859-1',
      header: false,
    });
    expect(context.files.byPath.get(uri.replace('millrace://', ''))).toEqual(Buffer.from('\xfc\n', 'latin1'));
  });

  test('what it writes is read the same by Python', async () => {
    const rows = [
      { id: '1', text: 'a "quoted", line\nand another', emoji: '😀 — ü' },
      { id: '2', text: '', emoji: "'" },
    ];
    const csv = await write(rows);
    const script =
      'import csv,json,sys,io;print(json.dumps(list(csv.DictReader(io.StringIO(sys.stdin.read(), newline="")))))';
    const { stdout } = spawnSync('python3', ['-X', 'utf8', '-c', script], { input: csv, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual(rows);
    expect(await rowsOf(await convertFile(csvToIon, csv))).toEqual(rows);
  });
});
