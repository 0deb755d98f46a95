import {
  choice,
  flag,
  integer,
  listOf,
  readTypedRows,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { timeZoneProperty } from '../textWriter.ts';
import { parseAvroSchema, type RecordType } from './columnType.ts';
import { WrongValue } from './convertPlain.ts';
import { RowConverter } from './convertRow.ts';
import { TypeInference } from './inferType.ts';

const nullValues = [
  '',
  '#N/A',
  '#N/A N/A',
  '#NA',
  '-1.#IND',
  '-1.#QNAN',
  '-NaN',
  '1.#IND',
  '1.#QNAN',
  'NA',
  'n/a',
  'nan',
  'null',
];

/** The properties for converting rows to records, for both Avro and Parquet. */
export const converterProperties = () => ({
  schema: text()
    .optional()
    .describe('The Avro schema of the records, as JSON. When absent it is inferred from the rows.'),
  numberOfRowsToScan: integer({ min: 1 })
    .default(100)
    .describe('How many rows to look at when the schema is inferred.'),
  trueValues: listOf(text())
    .default(['t', 'true', 'enabled', '1', 'on', 'yes'])
    .describe('Texts that are true, in any case.'),
  falseValues: listOf(text())
    .default(['f', 'false', 'disabled', '0', 'off', 'no', ''])
    .describe('Texts that are false, in any case.'),
  nullValues: listOf(text()).default(nullValues).describe('Texts that are null where the schema allows it.'),
  dateFormat: text().default('yyyy-MM-dd[XXX]').describe('The pattern of texts that are dates.'),
  timeFormat: text().default('HH:mm[:ss][.SSSSSS][XXX]').describe('The pattern of texts that are times.'),
  datetimeFormat: text()
    .default("yyyy-MM-dd'T'HH:mm[:ss][.SSSSSS][XXX]")
    .describe('The pattern of texts that are dates with a time. ISO 8601 is always read.'),
  decimalSeparator: text()
    .default('.')
    .describe('The character before the fraction in texts that are numbers.'),
  strictSchema: flag().default(false).describe('Refuse rows that have fields the schema lacks.'),
  inferAllFields: flag().default(false).describe('Look at all rows when the schema is inferred.'),
  timeZoneId: timeZoneProperty(),
  onBadLines: choice(['ERROR', 'WARN', 'SKIP'])
    .default('ERROR')
    .describe(
      'What to do with a value that does not fit the schema: fail, or make it null, with a warning or without. The row is dropped when null is not allowed there.',
    ),
});

export interface ConverterChoice {
  readonly from: string;
  readonly schema?: string | undefined;
  readonly numberOfRowsToScan: number;
  readonly inferAllFields: boolean;
  readonly onBadLines: 'ERROR' | 'WARN' | 'SKIP';
  readonly trueValues: readonly string[];
  readonly falseValues: readonly string[];
  readonly nullValues: readonly string[];
  readonly dateFormat: string;
  readonly timeFormat: string;
  readonly datetimeFormat: string;
  readonly decimalSeparator: string;
  readonly strictSchema: boolean;
  readonly timeZoneId?: string | undefined;
}

/** The type of the records: from the schema, or inferred from the rows. */
export async function recordTypeOf(
  context: TaskContext,
  choice: ConverterChoice,
  toName: (name: string) => string,
): Promise<RecordType> {
  if (choice.schema !== undefined) return parseAvroSchema(choice.schema);
  return inferRecordType(
    context,
    choice.from,
    choice.inferAllFields ? Infinity : choice.numberOfRowsToScan,
    toName,
  );
}

export async function inferRecordType(
  context: TaskContext,
  from: string,
  rowCount: number,
  toName: (name: string) => string,
): Promise<RecordType> {
  const inference = new TypeInference();
  let count = 0;
  for await (const row of readTypedRows(context, from)) {
    inference.add(row);
    if (++count >= rowCount) break;
  }
  return inference.toRecord(toName);
}

/** Converts the rows of the file to records of the type; `onBadLines` decides about rows that do not fit. */
export async function* convertRows(
  context: TaskContext,
  choice: ConverterChoice,
  type: RecordType,
): AsyncGenerator<Record<string, unknown>, void, undefined> {
  const { onBadLines } = choice;
  let number = 0;
  const converter = new RowConverter({
    ...choice,
    onWrongCell: (message) => {
      if (onBadLines === 'WARN')
        void context.log('WARN', `Row ${number}: ${message}. It is written as null.`);
      return onBadLines !== 'ERROR';
    },
  });
  for await (const row of readTypedRows(context, choice.from)) {
    number++;
    try {
      yield converter.convertRow(type, row);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      if (onBadLines === 'ERROR')
        throw new TaskFailed(`Row ${number} cannot be written: ${error.message}.`, { retry: false });
      if (onBadLines === 'WARN') await context.log('WARN', `Row ${number} was dropped: ${error.message}.`);
    }
  }
}
