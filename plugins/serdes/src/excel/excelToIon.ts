import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  choice,
  defineTask,
  flag,
  integer,
  listOf,
  type TaskContext,
  TaskFailed,
  text,
  writeInside,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { charsetProperty, fromProperty, storeRows } from '../converter.ts';
import { sheetRows } from './sheetRows.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbookFile.ts';

const input = () =>
  z.object({
    from: fromProperty(),
    sheetsTitle: listOf(text()).optional().describe('The sheets to read; all of them when absent.'),
    charset: charsetProperty().describe(
      'Accepted for compatibility: workbooks say themselves how they are encoded.',
    ),
    valueRender: choice(['FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA'])
      .default('UNFORMATTED_VALUE')
      .describe('Read values as they are, as they are shown, or the formula where there is one.'),
    dateTimeRender: choice(['SERIAL_NUMBER', 'FORMATTED_STRING', 'UNFORMATTED_VALUE'])
      .default('UNFORMATTED_VALUE')
      .describe(
        'Read dates as the number that Excel keeps, as they are shown, or as ISO dates without a zone.',
      ),
    header: flag().default(true).describe('Whether the first row has the names of the fields.'),
    skipEmptyRows: flag().default(false).describe('Leave out rows without any value.'),
    skipRows: integer({ min: 0 }).default(0).describe('How many rows to skip before the header.'),
  });

type Input = z.infer<ReturnType<typeof input>>;

export const excelToIon = defineTask({
  type: 'serdes.excel.ExcelToIon',
  title: 'Read a workbook as rows',
  description:
    'Turns each sheet of an Excel workbook (`.xlsx`) into a file of rows. Numbers are doubles, blank cells are null. A column without a name is called `Column<index>`, counted from 1.',
  input,
  output: () =>
    z.object({
      uris: z.record(z.string(), z.string()).describe('The files of rows by the title of their sheet.'),
      size: z.number().describe('How many rows all sheets have.'),
    }),
  metrics: [{ name: 'sheets', type: 'counter', description: 'Sheets that were read.' }],
  sideEffects: true,
  examples: [
    {
      title: 'Read one sheet of a workbook.',
      runs: false,
      code: `id: excel_to_rows
namespace: company.team

inputs:
  - id: workbook
    type: FILE

tasks:
  - id: rows
    type: serdes.excel.ExcelToIon
    from: "{{ inputs.workbook }}"
    sheetsTitle: [Orders]

  - id: csv
    type: serdes.csv.IonToCsv
    from: "{{ outputs.rows.uris.Orders }}"
`,
    },
  ],
  async run(context, properties) {
    // The file's directory is at its end, so the file must be on disk.
    const folder = await mkdtemp(join(await context.workingDirectory(), '.millrace-excel-'));
    try {
      const workbook = await openWorkbook(
        await writeInside(folder, 'file.xlsx', await context.files.read(properties.from)),
      );
      try {
        return await readSheets(context, workbook, properties);
      } finally {
        workbook.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

async function readSheets(context: TaskContext, workbook: Workbook, properties: Input) {
  const titles = workbook.sheets.map(({ title }) => title);
  const missing = properties.sheetsTitle?.find((title) => !titles.includes(title));
  if (missing !== undefined)
    throw new TaskFailed(`The workbook has no sheet "${missing}"; it has ${titles.join(', ')}.`, {
      retry: false,
    });
  const chosen = workbook.sheets.filter(({ title }) => properties.sheetsTitle?.includes(title) ?? true);
  const uris = new Map<string, string>();
  let size = 0;
  for (const [index, sheet] of chosen.entries()) {
    const stored = await storeRows(context, toRows(workbook, sheet, properties), `sheet-${index + 1}.ion`);
    uris.set(sheet.title, stored.uri);
    size += stored.size;
  }
  context.metric({ name: 'sheets', type: 'counter', value: chosen.length });
  return { uris: Object.fromEntries(uris), size };
}

async function* toRows(workbook: Workbook, sheet: Sheet, properties: Input): AsyncGenerator<unknown> {
  let skipped = 0;
  let names: string[] | undefined;
  for await (const cells of sheetRows(workbook.readSheet(sheet), workbook, properties)) {
    if (skipped < properties.skipRows) skipped++;
    else if (properties.header && !names) names = namesOf(cells);
    else if (!properties.skipEmptyRows || cells.some((cell) => cell !== null && cell !== ''))
      yield names ? toMap(names, cells) : cells;
  }
}

const namesOf = (cells: readonly unknown[]): string[] =>
  cells.map((cell, index) => (cell === null || cell === '' ? `Column${index + 1}` : String(cell)));

function toMap(names: readonly string[], cells: readonly unknown[]): Map<string, unknown> {
  const row = new Map<string, unknown>();
  for (let index = 0; index < Math.max(names.length, cells.length); index++)
    row.set(names[index] ?? `Column${index + 1}`, cells[index] ?? null);
  return row;
}
