import { Decimal, Real } from '@millrace/expression';
import { choice, flag, readTypedRows, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { charsetProperty, defineConverter, fromProperty, storeText } from '../converter.ts';
import { createTextFormatter, dateFormatProperties } from '../textWriter.ts';
import { oneCharacter } from './oneCharacter.ts';

const input = () =>
  z.object({
    from: fromProperty(),
    header: flag().default(true).describe('Write the names of the fields as the first line.'),
    fieldSeparator: text().default(',').describe('The character between two fields.'),
    textDelimiter: text().default('"').describe('The character around a field that needs it.'),
    lineDelimiter: text().default('\n').describe('The text that ends a line.'),
    alwaysDelimitText: flag().default(false).describe('Put every field between text delimiters.'),
    quoteMode: choice(['ALWAYS', 'REQUIRED', 'NON_NUMERIC'])
      .optional()
      .describe(
        'Which fields stand between text delimiters: all, those that need it, or all but numbers. Takes precedence over `alwaysDelimitText`.',
      ),
    charset: charsetProperty(),
    ...dateFormatProperties(),
  });

type Input = z.infer<ReturnType<typeof input>>;

export const ionToCsv = defineConverter({
  type: 'serdes.csv.IonToCsv',
  title: 'Write rows as CSV',
  description:
    'Turns a file of rows into a CSV file. The fields of the first row are the columns: a row that lacks one has an empty field there, and fields that the first row lacks are left out with a warning. Lists and maps inside a row are written as JSON.',
  aliases: ['serdes.csv.CsvWriter'],
  input,
  examples: [
    {
      title: 'Export rows for a spreadsheet.',
      runs: true,
      code: `id: export
namespace: company.team

inputs:
  - id: orders
    type: FILE

tasks:
  - id: csv
    type: serdes.csv.IonToCsv
    from: "{{ inputs.orders }}"
    fieldSeparator: ";"
    dateTimeFormat: yyyy-MM-dd HH:mm
`,
    },
  ],
  async convert(context, properties) {
    const lines = new CsvLines(context, properties);
    const uri = await storeText(context, 'rows.csv', lines.write(), properties.charset);
    return { uri, size: lines.count };
  },
});

class CsvLines {
  count = 0;
  readonly #context: TaskContext;
  readonly #properties: Input;
  readonly #toField: (value: unknown) => string;
  readonly #separator: string;
  #names: readonly string[] | undefined;
  #hasWarned = false;

  constructor(context: TaskContext, properties: Input) {
    this.#context = context;
    this.#properties = properties;
    this.#separator = oneCharacter('fieldSeparator', properties.fieldSeparator);
    this.#toField = createFieldWriter(properties);
  }

  async *write(): AsyncGenerator<string> {
    const { from, header } = this.#properties;
    // Between single quotes YAML keeps the backslash, and a line break is meant all the same.
    const lineDelimiter = this.#properties.lineDelimiter.replaceAll('\\r', '\r').replaceAll('\\n', '\n');
    for await (const row of readTypedRows(this.#context, from)) {
      if (this.count === 0 && header) {
        this.#names = namesOf(row);
        yield this.#names.map(this.#toField).join(this.#separator) + lineDelimiter;
      }
      this.count++;
      yield this.#valuesOf(row).map(this.#toField).join(this.#separator) + lineDelimiter;
    }
  }

  #valuesOf(row: unknown): unknown[] {
    if (Array.isArray(row)) return row;
    if (!isMap(row)) throw wrongRow(this.count, row);
    this.#names ??= Object.keys(row);
    const names = this.#names;
    if (!this.#hasWarned && Object.keys(row).some((name) => !names.includes(name))) {
      this.#hasWarned = true;
      const unknown = Object.keys(row).filter((name) => !names.includes(name));
      void this.#context.log(
        'WARN',
        `Row ${this.count} has fields that the first row lacks; they are left out: ${unknown.join(', ')}.`,
      );
    }
    return names.map((name) => row[name]);
  }
}

const isMap = (row: unknown): row is Record<string, unknown> => typeof row === 'object' && row !== null;

const wrongRow = (count: number, row: unknown): TaskFailed =>
  new TaskFailed(`Row ${count} must be a map or a list, got ${JSON.stringify(row)}.`, { retry: false });

function namesOf(row: unknown): string[] {
  if (Array.isArray(row))
    throw new TaskFailed('The rows are lists, so there are no names for a header: set "header: false".', {
      retry: false,
    });
  if (!isMap(row)) throw wrongRow(1, row);
  return Object.keys(row);
}

function createFieldWriter(properties: Input): (value: unknown) => string {
  const quote = oneCharacter('textDelimiter', properties.textDelimiter);
  const separator = oneCharacter('fieldSeparator', properties.fieldSeparator);
  const format = createTextFormatter(properties);
  const mode = properties.quoteMode ?? (properties.alwaysDelimitText ? 'ALWAYS' : 'REQUIRED');
  return (value) => {
    const text = format(value);
    const isQuoted =
      mode === 'ALWAYS' ||
      (mode === 'NON_NUMERIC' && !isNumeric(value)) ||
      text.includes(separator) ||
      text.includes(quote) ||
      text.includes('\n') ||
      text.includes('\r');
    return isQuoted ? `${quote}${text.replaceAll(quote, quote + quote)}${quote}` : text;
  };
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Real || value instanceof Decimal;
