import { type Google, isMap, type Json, mapAt, numberAt, segment, textAt } from '@millrace/plugin-gcp/google';
import {
  choice,
  flag,
  integer,
  part,
  readTypedRows,
  type TaskContext,
  TaskFailed,
  text,
  toJsonValue,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineWorkspaceTask, scope, workspaceExample } from '../workspace.ts';
import { spreadsheetUrl, toCell } from './values.ts';

const formats = ['ION', 'CSV', 'AVRO', 'PARQUET', 'ORC', 'JSON'] as const;
type Format = (typeof formats)[number];

/** A request stays well below the 10 MB that Google recommends. */
const rowsAtOnce = 10_000;
const bytesAtOnce = 4 * 1024 * 1024;

export const load = defineWorkspaceTask({
  type: 'googleworkspace.sheets.Load',
  title: 'Write a file to Google Sheets',
  description: `Writes the rows of a file to a spreadsheet. \`insertType\` says where: over the cells of the range (\`UPDATE\`), after clearing them (\`OVERWRITE\`), or below the
table that is there (\`APPEND\`). Values are written as they are, so that text never becomes a formula; numbers of a CSV file become numbers.`,
  scopes: [scope('spreadsheets')],
  properties: {
    spreadsheetId: text().describe('The id of the spreadsheet, a part of its address.'),
    from: text().optional().describe('The file in internal storage.'),
    range: text().default('Sheet1').describe('Where the rows go: a sheet, or a range such as `Orders!B2`.'),
    insertType: choice(['UPDATE', 'OVERWRITE', 'APPEND'])
      .default('UPDATE')
      .describe('What happens to cells that are there.'),
    header: flag()
      .default(false)
      .describe(
        'Write the names of the columns first. The lines of a CSV file are written as they are, its header included; `skipLeadingRows` leaves it out.',
      ),
    csvOptions: part({
      fieldDelimiter: text().default(',').describe('The separator.'),
      skipLeadingRows: integer({ min: 0 }).optional().describe('How many lines are skipped.'),
      quote: text().optional().describe('The quote, `"` when absent.'),
      encoding: text().default('UTF-8').describe('The character set.'),
    })
      .prefault({})
      .describe('Options of CSV files.'),
    avroSchema: text().optional().describe('Accepted for older flows. Avro files bring their schema.'),
    format: choice(formats)
      .optional()
      .describe('The format of the file; by the end of its name when absent, else Ion.'),
  },
  output: () =>
    z.object({
      range: z.string().describe('The range that was written.'),
      rows: z.number().describe('How many rows were written.'),
      columns: z.number().describe('How many columns were written.'),
    }),
  examples: [
    workspaceExample(
      'googleworkspace.sheets.Load',
      'Replace a sheet with a CSV file.',
      'from: "{{ inputs.file }}"\nspreadsheetId: 1Dkd3W0OQo-wxz1rrORLP7YGSj6EBLEg74fiTdbJUIQE\nrange: Orders\ninsertType: OVERWRITE\nformat: CSV\nheader: true',
      { inputs: '- id: file\n  type: FILE' },
    ),
  ],
  async run(google, input, context) {
    if (!input.from)
      throw new TaskFailed('"from" must be given: a file in internal storage.', { retry: false });
    const format = input.format ?? formatOf(input.from);
    const rows = rowsOf(context, input.from, format, input);
    const values = `${spreadsheetUrl(input.spreadsheetId)}/values/${segment(input.range)}`;
    if (input.insertType === 'OVERWRITE') await google.post(`${values}:clear`, {});
    return write(google, values, rows, input.insertType === 'APPEND', input.range);
  },
});

interface Source {
  readonly header: boolean;
  readonly csvOptions: {
    readonly fieldDelimiter: string;
    readonly skipLeadingRows?: number | undefined;
    readonly quote?: string | undefined;
    readonly encoding: string;
  };
}

function formatOf(uri: string): Format {
  const end = uri.split('.').at(-1)?.toUpperCase() ?? '';
  return end === 'JSONL' ? 'JSON' : (formats.find((format) => format === end) ?? 'ION');
}

/** The rows as cells, with the names of the columns first when they are wanted. */
async function* rowsOf(
  context: TaskContext,
  from: string,
  format: Format,
  source: Source,
): AsyncGenerator<unknown[]> {
  const { csvOptions: csv } = source;
  if (format === 'CSV') {
    const properties = {
      header: false,
      fieldSeparator: csv.fieldDelimiter,
      ...(csv.quote !== undefined && { textDelimiter: csv.quote }),
      charset: csv.encoding,
    };
    const uri = await convert(context, 'serdes.csv.CsvToIon', { from, ...properties });
    let skip = csv.skipLeadingRows ?? 0;
    for await (const row of readTypedRows(context, uri)) {
      if (skip-- > 0) continue;
      yield (Array.isArray(row) ? row : isMap(row) ? Object.values(row) : [row]).map(toNumber);
    }
    return;
  }
  let isFirst = true;
  for await (const row of readTypedRows(context, await toRowsFile(context, from, format))) {
    if (isFirst && source.header && isMap(row)) yield Object.keys(row);
    isFirst = false;
    const cells = Array.isArray(row) ? row : isMap(row) ? Object.values(row) : [row];
    yield cells.map((cell) => toCell(toJsonValue(cell)));
  }
}

/** Only plain numbers: digits with a leading zero, such as a postal code, stay text. */
const toNumber = (cell: unknown): unknown =>
  typeof cell === 'string' && /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(cell) ? Number(cell) : toCell(cell);

async function toRowsFile(context: TaskContext, from: string, format: Format): Promise<string> {
  switch (format) {
    case 'AVRO':
      return convert(context, 'serdes.avro.AvroToIon', { from });
    case 'PARQUET':
      return convert(context, 'serdes.parquet.ParquetToIon', { from });
    case 'ORC':
      throw new TaskFailed('ORC files cannot be read here. Use Parquet, Avro, CSV or JSON.', {
        retry: false,
      });
    case 'JSON':
      return (await startsWithList(context, from))
        ? convert(context, 'serdes.json.JsonToIon', { from, newLine: false })
        : from;
    default:
      return from;
  }
}

async function startsWithList(context: TaskContext, uri: string): Promise<boolean> {
  for await (const chunk of await context.files.read(uri)) {
    const start = Buffer.from(chunk).toString('utf8').trimStart();
    if (start !== '') return start.startsWith('[');
  }
  return false;
}

async function convert(context: TaskContext, type: string, properties: Json): Promise<string> {
  const { uri } = await context.runNested({ type, ...properties });
  return String(uri);
}

/** Writes rows in requests of bounded size; each continues below the previous one. */
async function write(
  google: Google,
  values: string,
  rows: AsyncIterable<unknown[]>,
  isAppend: boolean,
  range: string,
) {
  const total = { range, rows: 0, columns: 0 };
  let below: { sheet: string; column: string; row: number } | undefined;
  const send = async (batch: readonly unknown[][]) => {
    const answer = isAppend
      ? mapAt(
          await google.post(
            `${values}:append`,
            { values: batch, majorDimension: 'ROWS' },
            {
              valueInputOption: 'RAW',
              insertDataOption: 'INSERT_ROWS',
            },
          ),
          'updates',
        )
      : await update(google, values, batch, below);
    const written = textAt(answer, 'updatedRange') ?? range;
    if (total.rows === 0) total.range = written;
    total.rows += numberAt(answer, 'updatedRows') ?? batch.length;
    total.columns = Math.max(total.columns, numberAt(answer, 'updatedColumns') ?? 0);
    const start = startOf(written);
    below = start && { ...start, row: start.row + batch.length };
  };
  let batch: unknown[][] = [];
  let bytes = 0;
  for await (const row of rows) {
    batch.push(row);
    bytes += JSON.stringify(row).length;
    if (batch.length < rowsAtOnce && bytes < bytesAtOnce) continue;
    await send(batch);
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) await send(batch);
  return total;
}

async function update(
  google: Google,
  values: string,
  batch: readonly unknown[][],
  below: { sheet: string; column: string; row: number } | undefined,
): Promise<Json> {
  const url = below ? values.replace(/[^/]*$/, segment(`${below.sheet}${below.column}${below.row}`)) : values;
  const { body } = await google.json({
    url,
    method: 'PUT',
    query: { valueInputOption: 'RAW' },
    body: { values: batch, majorDimension: 'ROWS' },
  });
  return body;
}

/** The first cell of a range such as `Orders!A1:D20`. */
function startOf(range: string): { sheet: string; column: string; row: number } | undefined {
  const [, sheet = '', column, row] = /^(.*!)?([A-Z]+)(\d+)(?::.*)?$/.exec(range) ?? [];
  return column === undefined ? undefined : { sheet, column, row: Number(row) };
}
