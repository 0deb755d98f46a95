import { Readable } from 'node:stream';
import {
  Decimal,
  Instant,
  LocalDate,
  LocalDateTime,
  LocalTime,
  Real,
  Temporal,
  ZonedDateTime,
} from '@millrace/expression';
import {
  flag,
  importModule,
  readTypedRows,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { charsetProperty, defineConverter } from '../converter.ts';
import { createTextFormatter, type DateFormats, dateFormatProperties } from '../textWriter.ts';
import {
  cellStyles,
  contentTypes,
  relationships,
  sheetEnd,
  sheetStart,
  stylesXml,
  workbookXml,
  xmlText,
} from './workbookParts.ts';

type Yazl = typeof import('yazl');

/** The most rows that a sheet of Excel has. */
const maxRows = 1_048_576;
const maxCellLength = 32_767;

const input = () =>
  z.object({
    from: someValue().describe(
      'The URI of a file of rows, or a map from the title of a sheet to such a URI.',
    ),
    charset: charsetProperty().describe('Accepted for compatibility: workbooks are always UTF-8.'),
    sheetsTitle: text().default('Sheet').describe('The title of the sheet when there is one.'),
    header: flag().default(true).describe('Write the names of the fields as the first row.'),
    styles: flag()
      .default(true)
      .describe('Show dates as dates, by the patterns; otherwise they are shown as numbers.'),
    ...dateFormatProperties(),
  });

type Input = z.infer<ReturnType<typeof input>>;

export const ionToExcel = defineConverter({
  type: 'serdes.excel.IonToExcel',
  title: 'Write rows as a workbook',
  description:
    'Turns files of rows into an Excel workbook (`.xlsx`) with a sheet for each. Numbers and dates are such in Excel too. A text that starts with `Formula:` becomes a formula, anything else is text.',
  input,
  examples: [
    {
      title: 'A workbook with one sheet.',
      runs: true,
      code: `id: rows_to_excel
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: excel
    type: serdes.excel.IonToExcel
    from: "{{ inputs.rows }}"
    sheetsTitle: Report
`,
    },
    {
      title: 'A workbook with two sheets.',
      runs: true,
      code: `id: two_sheets
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: excel
    type: serdes.excel.IonToExcel
    from:
      Orders: "{{ inputs.rows }}"
      Customers: "{{ inputs.rows }}"
`,
    },
  ],
  async convert(context, properties) {
    const sheets = sheetsOf(properties);
    const module = await importModule<Yazl & { default?: Yazl }>('yazl');
    const zip = new (module.default ?? module).ZipFile();
    // `as`: the stream of the library is a stream of Node.
    const output = zip.outputStream as Readable;
    zip.on('error', (error: Error) => output.destroy(error));
    const titles = sheets.map(([title]) => title);
    const add = (name: string, content: string) => zip.addBuffer(Buffer.from(content), name);
    add('[Content_Types].xml', contentTypes(titles.length));
    add('_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']]));
    add('xl/workbook.xml', workbookXml(titles));
    add(
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...titles.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    );
    add('xl/styles.xml', stylesXml(properties));
    const writer = new SheetWriter(context, properties);
    for (const [index, [, uri]] of sheets.entries())
      zip.addReadStreamLazy(`xl/worksheets/sheet${index + 1}.xml`, { compressionLevel: 3 }, (done) =>
        done(null, failingInto(output, Readable.from(writer.write(uri), { objectMode: false }))),
      );
    zip.end();
    const uri = await context.files.put('workbook.xlsx', output as AsyncIterable<Buffer>);
    return { uri, size: writer.count };
  },
});

/** A source that fails ends the output, where the failure is read; the library would let it end the process. */
function failingInto(output: Readable, source: Readable): Readable {
  return source.on('error', (error) => output.destroy(error));
}

function sheetsOf({ from, sheetsTitle }: Input): [title: string, uri: string][] {
  const read = typeof from === 'string' && from.trim().startsWith('{') ? JSON.parse(from) : from;
  const sheets: [string, unknown][] =
    typeof read === 'string' ? [[sheetsTitle, read]] : Object.entries(read ?? {});
  if (sheets.length === 0 || Array.isArray(read))
    throw new TaskFailed('"from" must be the URI of a file of rows, or a map from title to URI.', {
      retry: false,
    });
  return sheets.map(([title, uri]) => {
    if (title.length > 31 || /[\\/?*[\]:]/.test(title) || title === '')
      throw new TaskFailed(
        `"${title}" cannot be the title of a sheet: at most 31 characters, without \\ / ? * [ ] :.`,
        { retry: false },
      );
    return [title, String(uri)];
  });
}

class SheetWriter {
  count = 0;
  readonly #context: TaskContext;
  readonly #properties: Input;
  readonly #toText: (value: unknown) => string;

  constructor(context: TaskContext, properties: Input & DateFormats) {
    this.#context = context;
    this.#properties = properties;
    this.#toText = createTextFormatter(properties);
  }

  async *write(uri: string): AsyncGenerator<Buffer> {
    let pending = sheetStart;
    let names: string[] | undefined;
    let row = 0;
    const add = (values: readonly unknown[]) => {
      row++;
      if (row > maxRows)
        throw new TaskFailed(
          `A sheet of Excel has ${maxRows} rows at most, and there are more. Split the file.`,
          { retry: false },
        );
      pending += `<row r="${row}">${values.map((value, column) => this.#cell(value, column, row)).join('')}</row>`;
    };
    for await (const record of readTypedRows(this.#context, uri)) {
      this.count++;
      if (Array.isArray(record)) add(record);
      else {
        if (typeof record !== 'object' || record === null)
          throw new TaskFailed(`Row ${this.count} must be a map or a list, got ${JSON.stringify(record)}.`, {
            retry: false,
          });
        const fields = record as Record<string, unknown>; // checked above
        if (!names) {
          names = Object.keys(fields);
          if (this.#properties.header) add(names);
        }
        add(names.map((name) => fields[name]));
      }
      if (pending.length < 65_536) continue;
      yield Buffer.from(pending);
      pending = '';
    }
    yield Buffer.from(pending + sheetEnd);
  }

  #cell(value: unknown, column: number, row: number): string {
    if (value === null || value === undefined) return '';
    const place = `r="${letters(column)}${row}"`;
    if (typeof value === 'boolean') return `<c ${place} t="b"><v>${value ? 1 : 0}</v></c>`;
    const number = numberOf(value);
    if (number !== undefined) return `<c ${place}><v>${number}</v></c>`;
    const serial = serialOf(value);
    if (serial)
      return `<c ${place}${this.#properties.styles ? ` s="${serial.style}"` : ''}><v>${serial.number}</v></c>`;
    const text = this.#toText(value);
    if (typeof value === 'string' && text.startsWith('Formula:'))
      return `<c ${place}><f>${xmlText(text.slice(8).trim().replace(/^=/, ''))}</f></c>`;
    if (text.length > maxCellLength)
      throw new TaskFailed(
        `Row ${this.count} has a text of ${text.length} characters; a cell of Excel takes ${maxCellLength}.`,
        { retry: false },
      );
    return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
  }
}

function letters(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** The number if Excel represents it exactly; longer numbers stay text. */
function numberOf(value: unknown): number | undefined {
  if (value instanceof Real) return Number.isFinite(value.value) ? value.value : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Decimal) return digits(value.unscaled) <= 15 ? value.toNumber() : undefined;
  return typeof value === 'bigint' && digits(value) <= 15 ? Number(value) : undefined;
}

const digits = (value: bigint): number => String(value < 0n ? -value : value).length;

/** Days since the end of 1899, as Excel counts; dates before March 1900 stay texts. */
function serialOf(value: unknown): { number: number; style: number } | undefined {
  if (!(value instanceof Temporal)) return undefined;
  if (value instanceof LocalTime)
    return { number: (value.secondOfDay + value.nano / 1e9) / 86_400, style: cellStyles.time };
  if (value instanceof LocalDate) return after1900(value.epochDay + 25_569, cellStyles.date);
  const second =
    value instanceof Instant
      ? value.epochSecond
      : value instanceof LocalDateTime || value instanceof ZonedDateTime
        ? value.localSecond
        : undefined;
  if (second === undefined) return undefined;
  const { nano } = value as Instant; // all of these have one
  return after1900(25_569 + (second + nano / 1e9) / 86_400, cellStyles.dateTime);
}

const after1900 = (number: number, style: number) => (number >= 61 ? { number, style } : undefined);
