import { choice, deprecated, flag, integer, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { decodeText } from '../charset.ts';
import { charsetProperty, defineConverter, fromProperty, storeRows } from '../converter.ts';
import { CsvReader, type CsvRecord } from './csvReader.ts';
import { oneCharacter } from './oneCharacter.ts';

const defaultLimit = 16 * 1024 * 1024;

const input = () =>
  z.object({
    from: fromProperty(),
    header: flag()
      .default(true)
      .describe('Whether the first line has the names of the fields. Without names each row is a list.'),
    fieldSeparator: text().default(',').describe('The character between two fields.'),
    textDelimiter: text()
      .default('"')
      .describe('The character around a field that has separators or line breaks.'),
    skipEmptyRows: flag().default(false).describe('Leave out lines that are empty.'),
    errorOnDifferentFieldCount: deprecated(flag(), 'use `onBadLines`.').optional(),
    onBadLines: choice(['ERROR', 'WARN', 'SKIP'])
      .default('ERROR')
      .describe(
        'What to do with a row that has another number of fields than the header, or broken quotes: fail, drop it with a warning, or drop it.',
      ),
    onEmptyHeader: choice(['DROP', 'RENAME'])
      .default('DROP')
      .describe(
        'What to do with a column without a name: drop it, or call it `col_<index>`, counted from 0.',
      ),
    skipRows: integer({ min: 0 }).default(0).describe('How many rows to skip after the header.'),
    charset: charsetProperty(),
    maxBufferSize: integer({ min: 1 }).default(defaultLimit).describe('The most characters a row may have.'),
    allowExtraCharsAfterClosingQuote: flag()
      .default(false)
      .describe(
        'Accept characters between a closing quote and the next separator; they belong to the field.',
      ),
    maxFieldSize: integer({ min: 1 }).default(defaultLimit).describe('The most characters a field may have.'),
  });

type Input = z.infer<ReturnType<typeof input>>;

export const csvToIon = defineConverter({
  type: 'serdes.csv.CsvToIon',
  title: 'Read CSV as rows',
  description:
    'Turns a CSV file into a file of rows. Every value is a text; `\\N` is null. A byte order mark is removed, and lines may end in any usual way.',
  aliases: ['serdes.csv.CsvReader'],
  input,
  examples: [
    {
      title: 'Download a CSV file and count its rows.',
      runs: false,
      code: `id: csv_to_rows
namespace: company.team

tasks:
  - id: download
    type: core.http.Download
    uri: https://example.com/orders.csv

  - id: rows
    type: serdes.csv.CsvToIon
    from: "{{ outputs.download.uri }}"

  - id: count
    type: core.log.Log
    message: "{{ outputs.rows.size }} orders"
`,
    },
    {
      title:
        'A file with semicolons and umlauts in an older character set; bad lines are reported and dropped.',
      runs: true,
      code: `id: semicolons
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: rows
    type: serdes.csv.CsvToIon
    from: "{{ inputs.file }}"
    fieldSeparator: ";"
    charset: ISO-8859-1
    onBadLines: WARN
`,
    },
  ],
  async convert(context, properties) {
    const texts = await decodeText(await context.files.read(properties.from), properties.charset);
    return storeRows(context, readRows(context, texts, properties));
  },
});

async function* readRows(
  context: TaskContext,
  texts: AsyncIterable<string>,
  properties: Input,
): AsyncGenerator<unknown, void, undefined> {
  const rows = new RowMaker(context, properties);
  for await (const record of records(texts, properties)) {
    const row = rows.make(record);
    if (row !== undefined) yield row;
  }
}

async function* records(
  texts: AsyncIterable<string>,
  properties: Input,
): AsyncGenerator<CsvRecord, void, undefined> {
  const reader = new CsvReader({
    separator: oneCharacter('fieldSeparator', properties.fieldSeparator),
    quote: oneCharacter('textDelimiter', properties.textDelimiter),
    allowExtraAfterQuote: properties.allowExtraCharsAfterClosingQuote,
    maxFieldSize: properties.maxFieldSize,
    maxRecordSize: properties.maxBufferSize,
  });
  for await (const text of texts) yield* reader.read(text);
  yield* reader.end();
}

const toValue = (field: string): string | null => (field === '\\N' ? null : field);

class RowMaker {
  readonly #context: TaskContext;
  readonly #properties: Input;
  /** One name for each column; undefined for a column that is dropped. */
  #names: readonly (string | undefined)[] | undefined;
  #expected: number | undefined;
  #skipped = 0;

  constructor(context: TaskContext, properties: Input) {
    this.#context = context;
    this.#properties = properties;
  }

  make(record: CsvRecord): unknown {
    const { header, skipEmptyRows, skipRows } = this.#properties;
    const isEmpty = record.fields.length === 1 && record.fields[0] === '';
    if (isEmpty && skipEmptyRows) return undefined;
    if (header && !this.#names) {
      if (record.problem !== undefined) throw badLine(record, record.problem);
      this.#names = this.#readHeader(record.fields);
      this.#expected = record.fields.length;
      return undefined;
    }
    if (this.#skipped < skipRows) {
      this.#skipped++;
      return undefined;
    }
    const problem = record.problem ?? this.#wrongCount(record.fields.length);
    if (problem !== undefined) return this.#drop(record, problem);
    return this.#names ? toMap(this.#names, record.fields) : record.fields.map(toValue);
  }

  #wrongCount(count: number): string | undefined {
    const { errorOnDifferentFieldCount, header } = this.#properties;
    if (errorOnDifferentFieldCount === false) return undefined;
    if (!header && errorOnDifferentFieldCount) this.#expected ??= count;
    if (this.#expected === undefined || count === this.#expected) return undefined;
    return `it has ${count} fields and ${this.#expected} were expected`;
  }

  #drop(record: CsvRecord, problem: string): undefined {
    const { onBadLines } = this.#properties;
    if (onBadLines === 'ERROR') throw badLine(record, problem);
    if (onBadLines === 'WARN') void this.#context.log('WARN', `Line ${record.line} was dropped: ${problem}.`);
    return undefined;
  }

  #readHeader(fields: readonly string[]): (string | undefined)[] {
    if (this.#properties.onEmptyHeader === 'RENAME') return renameEmpty(fields);
    const dropped = fields.filter((name) => name.trim() === '').length;
    if (dropped > 0) void this.#context.log('WARN', `${dropped} columns without a name were dropped.`);
    return fields.map((name) => (name.trim() === '' ? undefined : name));
  }
}

const badLine = ({ line }: CsvRecord, problem: string): TaskFailed =>
  new TaskFailed(`Line ${line} is invalid: ${problem}.`, { retry: false });

function renameEmpty(fields: readonly string[]): string[] {
  const taken = new Set(fields);
  return fields.map((name, index) => {
    if (name.trim() !== '') return name;
    let chosen = `col_${index}`;
    for (let copy = 2; taken.has(chosen); copy++) chosen = `col_${index}_${copy}`;
    taken.add(chosen);
    return chosen;
  });
}

function toMap(
  names: readonly (string | undefined)[],
  fields: readonly string[],
): Map<string, string | null> {
  // A map, because a column may have any name, also "__proto__".
  const row = new Map<string, string | null>();
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    const field = fields[index];
    if (name !== undefined) row.set(name, field === undefined ? null : toValue(field));
  }
  return row;
}
