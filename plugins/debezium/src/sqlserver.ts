import { choice, importModule, messageOf, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import type { ConnectionConfiguration } from 'tedious';
import type { z } from 'zod';
import { CdcSource, type Query, type Row } from './cdcTables.ts';
import type { ChangeSource } from './change.ts';
import { captureTypes, type SharedInput } from './database.ts';

const properties = () => ({
  database: text().describe('The database, in which change data capture is enabled.'),
  serverId: text().optional().describe('A number of Debezium, which has no effect.'),
  snapshotMode: choice(['INITIAL', 'INITIAL_ONLY', 'SCHEMA_ONLY'])
    .default('INITIAL')
    .describe(
      'Whether the rows that are there are read first: when there is no position yet (`INITIAL`), only they (`INITIAL_ONLY`), or not (`SCHEMA_ONLY`).',
    ),
});

export type SqlServerInput = z.infer<z.ZodObject<ReturnType<typeof properties>>> &
  SharedInput & {
    readonly hostname: string;
    readonly port: string;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
    readonly properties?: Readonly<Record<string, string>> | undefined;
  };

type Tedious = typeof import('tedious');
const connectTimeoutMs = 15_000;

function configurationOf(context: TaskContext, input: SqlServerInput): ConnectionConfiguration {
  const { hostname: host, properties: given = {} } = input;
  const port = Number(input.port || 1433);
  const setting = (name: string) => given[`database.${name}`] ?? given[name];
  return {
    server: host,
    authentication: {
      type: 'default',
      options: { userName: input.username ?? '', password: input.password ?? '' },
    },
    options: {
      // The socket is opened under the outbound policy and passed to the library.
      connector: () => context.connect({ host, port, timeoutMs: connectTimeoutMs }),
      port,
      database: input.database,
      encrypt: setting('encrypt') === 'true',
      trustServerCertificate: setting('trustServerCertificate') === 'true' || setting('encrypt') !== 'true',
      appName: 'millrace',
      connectTimeout: connectTimeoutMs,
      requestTimeout: 0,
      useUTC: true,
      rowCollectionOnRequestCompletion: false,
    },
  };
}

/** Opens a connection; the rows of a query are collected, so queries limit their number. */
async function connect(
  context: TaskContext,
  input: SqlServerInput,
): Promise<{ readonly query: Query; readonly close: () => void }> {
  const { default: tedious } = await importModule<{ readonly default: Tedious }>('tedious');
  const connection = new tedious.Connection(configurationOf(context, input));
  connection.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(firstCause(error)) : resolve()));
  });
  const query: Query = (sql, values = {}) =>
    new Promise((resolve, reject) => {
      const rows: Row[] = [];
      const request = new tedious.Request(sql, (error) =>
        error ? reject(firstCause(error)) : resolve(rows),
      );
      request.on(
        'row',
        (columns: readonly { readonly metadata: { readonly colName: string }; readonly value: unknown }[]) =>
          void rows.push(Object.fromEntries(columns.map(({ metadata, value }) => [metadata.colName, value]))),
      );
      for (const [name, value] of Object.entries(values)) {
        const type = Buffer.isBuffer(value) ? tedious.TYPES.VarBinary : tedious.TYPES.NVarChar;
        request.addParameter(name, type, Buffer.isBuffer(value) ? value : String(value));
      }
      connection.execSql(request);
    });
  return { query, close: () => connection.close() };
}

/** The library wraps errors of the socket. */
function firstCause(error: Error): Error {
  return error.cause instanceof Error ? firstCause(error.cause) : error;
}

async function open(context: TaskContext, input: SqlServerInput, stored: unknown): Promise<ChangeSource> {
  if (input.password !== undefined) context.masker.add(input.password);
  try {
    const { query, close } = await connect(context, input);
    try {
      return await CdcSource.open(query, close, input, stored);
    } catch (error) {
      close();
      throw error;
    }
  } catch (error) {
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(`SQL Server on ${input.hostname}:${input.port}: ${messageOf(error)}`, {
      retry: !/Login failed|Cannot open database/i.test(messageOf(error)),
      cause: error,
    });
  }
}

export const sqlserverTypes = captureTypes({
  name: 'sqlserver',
  title: 'SQL Server',
  note: 'Change data capture must be enabled in the database (`sys.sp_cdc_enable_db`) and for each table (`sys.sp_cdc_enable_table`), and SQL Server Agent must run.',
  properties,
  example: ['port: "1433"', 'database: shop'],
  // `as`: the input has the connection's properties too, which the type of this part cannot express.
  open: (context, input, position) => open(context, input as SqlServerInput, position),
});
