import {
  anything,
  choice,
  deprecated,
  duration,
  fixed,
  flag,
  integer,
  listOf,
  mapOf,
  outputFiles,
  storageUri,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { fetchTypes } from './keepRows.ts';

export const urlProperty = (exampleUrl: string) =>
  text().describe(`The JDBC URL of the database, such as \`${exampleUrl}\`.`);

/** The properties by which every type reaches its database, besides the URL. */
export const connectionProperties = () => ({
  username: text().optional().describe('The user to connect as.'),
  password: text().optional().describe("The user's password."),
  timeZoneId: text()
    .optional()
    .describe(
      'The time zone of date and time values, such as `Europe/Paris`. That of the server when absent.',
    ),
  connectionPooling: flag()
    .default(true)
    .describe('Keep the connection open for a while for tasks with the same URL and credentials.'),
  connectionPoolSize: integer({ min: 1 })
    .default(10)
    .describe('The most connections with the same URL and credentials at once.'),
});

export const fetchProperties = (fetchType: 'NONE' | 'FETCH') => ({
  fetchType: choice(fetchTypes)
    .default(fetchType)
    .describe(
      'What to keep of the result: `STORE` writes all rows to a file, `FETCH` puts them into the outputs, `FETCH_ONE` only the first one, `NONE` keeps nothing.',
    ),
  fetchSize: integer({ min: 1 })
    .default(10_000)
    .describe('The most rows to ask the server for at once. Large rows are asked for in smaller numbers.'),
  store: deprecated(flag(), 'use `fetchType: STORE`.').default(false),
  fetchOne: deprecated(flag(), 'use `fetchType: FETCH_ONE`.').default(false),
  fetch: deprecated(flag(), 'use `fetchType: FETCH`.').default(false),
});

export const queryProperties = (fetchType: 'NONE' | 'FETCH') => ({
  sql: text().describe('The statement to run.'),
  afterSQL: text()
    .optional()
    .describe(
      'A statement to run after the rows were read, in the same transaction, such as an `UPDATE` that marks them as read.',
    ),
  parameters: mapOf(anything())
    .optional()
    .describe('Values for `:name` placeholders in the statement. They are bound, never inserted as text.'),
  ...fetchProperties(fetchType),
});

/** Only DuckDB and SQLite run where there is a working folder. */
export const unusedOutputFiles = () =>
  listOf(text())
    .optional()
    .describe('Accepted as in other databases; statements of this one write no files on this server.');

export const outputFilesProperty = () => outputFiles().optional();

export const transactionProperty = () =>
  flag()
    .default(true)
    .describe('Run all statements in one transaction that is rolled back when one of them fails.');

export const intervalProperty = () =>
  fixed(duration()).prefault('PT60S').describe('The pause between two polls.');

export const batchProperties = () => ({
  from: storageUri().describe('The file with the rows to write, one a line.'),
  sql: text()
    .optional()
    .describe(
      'The statement to run for each row, with a `?` for each value. Made from `table` and `columns` when absent.',
    ),
  table: text().optional().describe('The table to insert into, when there is no `sql`.'),
  columns: listOf(text())
    .optional()
    .describe(
      'The fields of a row in the order of the values. All of the row, or the columns of `table`, when absent.',
    ),
  chunk: integer({ min: 1 }).default(1000).describe('The number of rows to write and commit at once.'),
  maxRetries: integer({ min: 0 }).default(3).describe('How often to try again after a failure.'),
  retryBackoff: duration()
    .prefault('PT1S')
    .describe('The pause before the first retry; later ones wait up to twice as long.'),
  retryScope: choice(['NONE', 'INPUT', 'ALL'])
    .default('INPUT')
    .describe(
      'Which failures are tried again: none, those of reading the file, or also lost connections and deadlocks. A wrong statement or value is never tried again.',
    ),
  resumeOnRetry: flag().default(true).describe('Skip the rows that were committed before a retry.'),
  inputHandling: choice(['AUTO', 'STREAM', 'LOCAL'])
    .default('AUTO')
    .describe(
      'Copy the file into the working folder first (`LOCAL`), read it from storage (`STREAM`), or decide by its size.',
    ),
  localBufferMaxBytes: integer({ min: 0 })
    .default(104_857_600)
    .describe('The largest file to copy into the working folder.'),
});

const rowMap = () => z.record(z.string(), z.unknown());

export const resultShape = () => ({
  row: rowMap().nullable().optional().describe('The first row, with `FETCH_ONE`; null when there was none.'),
  rows: z.array(rowMap()).optional().describe('All rows, with `FETCH`.'),
  uri: z.string().optional().describe('The file with all rows, with `STORE`.'),
  size: z.number().int().optional().describe('The number of rows.'),
});

export const queriesShape = () => ({
  outputs: z
    .array(z.object(resultShape()))
    .describe('The result of each statement that returned rows, in order.'),
});

export const fileShape = () => ({
  outputFiles: z.record(z.string(), z.string()).optional().describe('The URIs of the output files by name.'),
  databaseUri: z.string().optional().describe('The file of the database, with `outputDbFile`.'),
});

export const batchShape = () => ({
  rowCount: z.number().int().describe('The number of rows that were read.'),
  updatedCount: z.number().int().describe('The number of rows that the database changed.'),
});

export const queryMetrics = [
  { name: 'fetch.size', type: 'counter', unit: 'rows', description: 'Rows that were fetched or stored.' },
] as const;

export const batchMetrics = [
  { name: 'records', type: 'counter', unit: 'rows', description: 'Rows that were read from the file.' },
  { name: 'updated', type: 'counter', unit: 'rows', description: 'Rows that the database changed.' },
  { name: 'query', type: 'counter', unit: 'requests', description: 'Batches that were sent.' },
] as const;
