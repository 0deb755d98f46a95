import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal, Instant, LocalDate, LocalDateTime } from '@millrace/expression';
import { readTypedRows, writeTypedRows } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { bytesOf, convertRowsTo } from '../testing/convert.ts';
import { normalized } from '../testing/typedRows.ts';
import { excelToIon } from './excelToIon.ts';
import { ionToExcel } from './ionToExcel.ts';

const rows = [
  {
    text: 'a & <b> "c"\nü 😀  ',
    number: 1.5,
    whole: -7,
    ok: true,
    none: null,
    day: new LocalDate(20_000),
    at: new Instant(1_600_000_000, 0),
    local: new LocalDateTime(1_600_000_000, 500_000_000),
    exact: new Decimal(1234567890123456789n, 5),
    sum: 'Formula:=B2+C2',
  },
  {
    text: '',
    number: 0,
    whole: 1,
    ok: false,
    none: null,
    day: null,
    at: null,
    local: null,
    exact: null,
    sum: null,
  },
];

async function read(
  workbook: Buffer,
  properties = {},
): Promise<{ sheets: Record<string, unknown[]>; size: unknown }> {
  const context = aTaskContext();
  const from = await context.files.put('in.xlsx', workbook);
  const { uris, size } = await runType(excelToIon, { from, ...properties }, context);
  const sheets: Record<string, unknown[]> = {};
  for (const [title, uri] of Object.entries(uris as Record<string, string>)) {
    sheets[title] = [];
    for await (const row of readTypedRows(context, uri)) sheets[title]?.push(row);
  }
  return { sheets, size };
}

test('rows come back from a workbook', async () => {
  const written = await convertRowsTo(ionToExcel, rows);
  const { sheets, size } = await read(bytesOf(written));
  expect(size).toBe(2);
  expect(normalized(sheets.Sheet ?? [])).toEqual([
    {
      text: 'a & <b> "c"\nü 😀  ',
      number: 1.5,
      whole: -7,
      ok: true,
      none: null,
      day: '2024-10-04',
      at: '2020-09-13T12:26:40',
      local: '2020-09-13T12:26:40.500',
      exact: '12345678901234.56789',
      sum: null,
    },
    {
      text: '',
      number: 0,
      whole: 1,
      ok: false,
      none: null,
      day: null,
      at: null,
      local: null,
      exact: null,
      sum: null,
    },
  ]);
});

test('several sheets, chosen, without header, and as they are shown', async () => {
  const context = aTaskContext();
  const from: Record<string, string> = {};
  for (const title of ['One', 'T & wo'])
    from[title] = await context.files.put('r.ion', writeTypedRows(rows).content);
  const { uri } = await runType(ionToExcel, { from, dateFormat: 'dd.MM.yyyy' }, context);
  const workbook = context.files.byPath.get(String(uri).replace('millrace://', '')) ?? Buffer.alloc(0);
  expect(Object.keys((await read(workbook)).sheets)).toEqual(['One', 'T & wo']);
  const { sheets } = await read(workbook, {
    sheetsTitle: ['T & wo'],
    header: false,
    skipRows: 1,
    valueRender: 'FORMATTED_VALUE',
  });
  expect(Object.keys(sheets)).toEqual(['T & wo']);
  const [first] = (sheets['T & wo'] ?? []) as unknown[][];
  expect(first?.slice(0, 6)).toEqual(['a & <b> "c"\nü 😀  ', '1.5', '-7', 'TRUE', null, '04.10.2024']);
  const formulas = await read(workbook, {
    valueRender: 'FORMULA',
    sheetsTitle: ['One'],
    dateTimeRender: 'SERIAL_NUMBER',
  });
  expect(normalized(formulas.sheets.One ?? [])[0]).toMatchObject({ sum: '=B2+C2', day: 45_569 });
  await expect(read(workbook, { sheetsTitle: ['Nope'] })).rejects.toThrow(
    'no sheet "Nope"; it has One, T & wo.',
  );
});

test('the parts of a workbook are XML that Python reads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-excel-'));
  try {
    writeFileSync(join(folder, 'a.xlsx'), bytesOf(await convertRowsTo(ionToExcel, rows)));
    const script =
      'import zipfile, xml.etree.ElementTree as E; z = zipfile.ZipFile("a.xlsx"); assert z.testzip() is None; [E.fromstring(z.read(n)) for n in z.namelist()]; print(len(z.namelist()))';
    const { stdout, stderr } = spawnSync('python3', ['-c', script], { cwd: folder, encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual(['6', '']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('says what Excel cannot hold, and what is no workbook', async () => {
  await expect(convertRowsTo(ionToExcel, rows, { sheetsTitle: 'a/b' })).rejects.toThrow(
    'cannot be the title of a sheet',
  );
  await expect(convertRowsTo(ionToExcel, [{ a: 'x'.repeat(40_000) }])).rejects.toThrow(
    'a cell of Excel takes 32767',
  );
  await expect(read(Buffer.from('id;name'))).rejects.toThrow('no Excel workbook');
});
