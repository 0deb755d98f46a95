import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  choice,
  defineTask,
  flag,
  importModule,
  integer,
  listOf,
  storageUri,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type { CopyStreamQuery, CopyToStreamQuery } from 'pg-copy-streams';
import { z } from 'zod';
import { describeFailure } from '../base/describeFailure.ts';
import { urlProperty } from '../base/properties.ts';
import { interrupt } from '../base/withSession.ts';
import { openClient } from './client.ts';
import { type CopyChoice, copySql } from './copySql.ts';
import { sslProperties } from './properties.ts';
import { type PostgresInput, postgres, readSettings } from './settings.ts';

/** The functions of the module by their names. */
interface CopyModule {
  from(sql: string): CopyStreamQuery;
  to(sql: string): CopyToStreamQuery;
}

const character = () => text().refine((value) => [...value].length === 1, 'must be one character');

const copyProperties = () => ({
  url: urlProperty('jdbc:postgresql://localhost:5432/postgres'),
  username: text().optional().describe('The user to connect as.'),
  password: text().optional().describe("The user's password."),
  ...sslProperties(),
  table: text().optional().describe('The table to copy, with its schema if it needs one.'),
  columns: listOf(text()).optional().describe('The columns to copy; all of the table when absent.'),
  format: choice(['TEXT', 'CSV', 'BINARY']).default('TEXT').describe('The format of the file.'),
  oids: flag().optional().describe('Copy the object id of each row, for servers before version 12.'),
  freeze: flag().optional().describe('Write the rows frozen, into a table made in the same transaction.'),
  delimiter: character()
    .optional()
    .describe('The separator of columns: a tab for TEXT, a comma for CSV when absent.'),
  nullString: text().optional().describe('The text that stands for NULL.'),
  header: flag().optional().describe('The first line of a CSV file holds the names of the columns.'),
  quote: character().optional().describe('The quote of CSV values; a double quote when absent.'),
  escape: character()
    .optional()
    .describe('The escape character before a quote inside CSV values; the quote itself when absent.'),
  forceQuote: listOf(text()).optional().describe('Columns whose CSV values are always quoted; `*` is all.'),
  forceNotNull: listOf(text()).optional().describe('Columns whose values are never read as NULL.'),
  forceNull: listOf(text()).optional().describe('Columns whose quoted values may be read as NULL.'),
  encoding: text()
    .optional()
    .describe('The encoding of the file, such as `LATIN1`; that of the client when absent.'),
  socketTimeout: integer({ min: 0 })
    .optional()
    .describe('Seconds without any data after which the connection is cut. No limit when absent or 0.'),
});

const connection = `url: jdbc:postgresql://localhost:5432/postgres
    username: "{{ secret('DB_USERNAME') }}"
    password: "{{ secret('DB_PASSWORD') }}"`;

const rowsMetric = [
  { name: 'rows', type: 'counter', unit: 'rows', description: 'Rows that were copied.' },
] as const;

export const copyIn = defineTask({
  type: 'jdbc.postgresql.CopyIn',
  title: 'Load a file into a PostgreSQL table',
  description:
    'Sends a file of internal storage to PostgreSQL with `COPY … FROM STDIN`, the fastest way to load rows.',
  input: () => z.object({ ...copyProperties(), from: storageUri().describe('The file to load.') }),
  output: () => z.object({ rowCount: z.number().int().describe('The number of rows that were loaded.') }),
  metrics: rowsMetric,
  sideEffects: true,
  examples: [
    {
      title: 'Load a CSV file.',
      runs: false,
      code: `id: load_customers
namespace: company.team

inputs:
  - id: csv
    type: FILE

tasks:
  - id: load
    type: jdbc.postgresql.CopyIn
    ${connection}
    from: "{{ inputs.csv }}"
    table: customers
    columns: [id, name]
    format: CSV
    header: true
`,
    },
  ],
  async run(context, input) {
    if (input.table === undefined) throw new TaskFailed('"table" must be given.', { retry: false });
    const rowCount = await withCopyStream(context, input, async (copy) => {
      const stream = copy.from(copySql(input, 'FROM STDIN'));
      return {
        stream,
        transfer: async () => pipeline(Readable.from(await context.files.read(input.from)), stream),
      };
    });
    context.metric({ name: 'rows', type: 'counter', value: rowCount });
    return { rowCount };
  },
});

export const copyOut = defineTask({
  type: 'jdbc.postgresql.CopyOut',
  title: 'Write a PostgreSQL table or query to a file',
  description:
    'Receives rows with `COPY … TO STDOUT` and writes them to a file of internal storage as they arrive.',
  input: () =>
    z.object({
      ...copyProperties(),
      sql: text().optional().describe('The query to copy, instead of `table`.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file.'),
      rowCount: z.number().int().describe('The number of rows in it.'),
    }),
  metrics: rowsMetric,
  sideEffects: true,
  examples: [
    {
      title: 'Write a query to a CSV file.',
      runs: false,
      code: `id: export_customers
namespace: company.team

tasks:
  - id: export
    type: jdbc.postgresql.CopyOut
    ${connection}
    sql: SELECT id, name FROM customers WHERE active
    format: CSV
    header: true
`,
    },
  ],
  async run(context, input) {
    let uri = '';
    const rowCount = await withCopyStream(context, input, async (copy) => {
      const stream = copy.to(copySql(input, 'TO STDOUT'));
      const transfer = async () => {
        uri = await context.files.put('copy-out', stream);
      };
      return { stream, transfer };
    });
    context.metric({ name: 'rows', type: 'counter', value: rowCount });
    return { uri, rowCount };
  },
});

type CopyInput = PostgresInput & CopyChoice & { readonly socketTimeout?: number | undefined };
type CopyStream = CopyStreamQuery | CopyToStreamQuery;

/** Opens a connection for one transfer and returns the number of rows that the server has counted. */
async function withCopyStream(
  context: TaskContext,
  input: CopyInput,
  start: (copy: CopyModule) => Promise<{ stream: CopyStream; transfer: () => Promise<void> }>,
): Promise<number> {
  if (input.password) context.masker.add(input.password);
  const settings = readSettings(input);
  const copy = await importModule<CopyModule>('pg-copy-streams');
  try {
    const { stream, transfer } = await start(copy);
    const opened = await openClient(context, settings);
    const interruption = interrupt(context.signal, opened);
    try {
      if (input.socketTimeout) opened.setTimeout(input.socketTimeout * 1000);
      opened.client.query(stream);
      await Promise.race([transfer(), interruption.stopped]);
      return stream.rowCount;
    } finally {
      interruption.forget();
      await opened.close();
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(`${postgres.title}: ${describeFailure(error)}`, { cause: error });
  }
}
