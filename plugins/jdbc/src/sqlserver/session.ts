import { importModule, type TaskContext } from '@millrace/plugin-kit';
import type { Connection, ConnectionConfiguration, Request } from 'tedious';
import { insertRows } from '../base/insertRows.ts';
import type { SqlSyntax } from '../base/lexSql.ts';
import type { Batch, Row, Session, Statement } from '../base/session.ts';
import { readerOf } from './cells.ts';
import type { SqlServerSettings } from './settings.ts';

type Tedious = typeof import('tedious');

interface TediousColumn {
  readonly metadata: {
    readonly colName: string;
    readonly type: { readonly name: string };
    readonly scale?: number;
  };
  readonly value: unknown;
}

export const sqlServerSyntax: SqlSyntax = { brackets: true };
export const atPlaceholder = (position: number): string => `@p${position}`;

/** The most values of one statement, a limit of the server. */
const maxValues = 2_000;
const rowsPerBatch = 200;

export async function openSqlServerSession(
  context: TaskContext,
  settings: SqlServerSettings,
): Promise<Session> {
  const { default: tedious } = await importModule<{ readonly default: Tedious }>('tedious');
  const connection = new tedious.Connection(toConfiguration(context, settings));
  connection.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(firstCause(error)) : resolve()));
  });
  return new SqlServerSession(tedious, connection, settings.zone);
}

function toConfiguration(context: TaskContext, settings: SqlServerSettings): ConnectionConfiguration {
  const { host, port, user, password, accessToken, domain, authorities } = settings;
  const login = { userName: user, password };
  return {
    server: host,
    authentication: accessToken
      ? { type: 'azure-active-directory-access-token', options: { token: accessToken } }
      : domain === undefined
        ? { type: 'default', options: login }
        : { type: 'ntlm', options: { ...login, domain } },
    options: {
      // The socket is opened under the outbound policy and passed to the library.
      connector: () => context.connect({ host, port, timeoutMs: 15_000 }),
      port,
      ...(settings.database !== undefined && { database: settings.database }),
      encrypt: settings.encrypt,
      trustServerCertificate: settings.trustsAny || settings.encrypt === false,
      ...(settings.certificateName !== undefined && { serverName: settings.certificateName }),
      ...(authorities !== undefined && { cryptoCredentialsDetails: { ca: authorities } }),
      appName: 'millrace',
      connectTimeout: 15_000,
      requestTimeout: 0,
      useUTC: true,
      rowCollectionOnRequestCompletion: false,
    },
  };
}

/** The library wraps errors of the socket. */
function firstCause(error: Error): Error {
  return error.cause instanceof Error ? firstCause(error.cause) : error;
}

class SqlServerSession implements Session {
  readonly #tedious: Tedious;
  readonly #connection: Connection;
  readonly #zone: string;

  constructor(tedious: Tedious, connection: Connection, zone: string) {
    this.#tedious = tedious;
    this.#connection = connection;
    this.#zone = zone;
  }

  async run({ sql, values }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const rows = new RowQueue(this.#zone);
    const request = this.#start(sql, values, (error) => rows.end(error));
    request.on('columnMetadata', () => rows.begin());
    request.on('row', (columns: readonly TediousColumn[]) => {
      if (rows.add(columns)) request.pause();
    });
    rows.onTaken = () => request.resume();
    return (await rows.hasRows()) ? rows.batches() : undefined;
  }

  #start(
    sql: string,
    values: readonly unknown[],
    done: (error: Error | undefined) => void,
    count?: (rows: number) => void,
  ): Request {
    const request = new this.#tedious.Request(sql, (error, rowCount) => {
      count?.(rowCount ?? 0);
      done(error ? firstCause(error) : undefined);
    });
    for (const [index, value] of values.entries()) this.#addParameter(request, `p${index + 1}`, value);
    if (values.length === 0) this.#connection.execSqlBatch(request);
    else this.#connection.execSql(request);
    return request;
  }

  #addParameter(request: Request, name: string, value: unknown): void {
    const { TYPES } = this.#tedious;
    if (typeof value === 'boolean') request.addParameter(name, TYPES.Bit, value);
    else if (Number.isSafeInteger(value)) request.addParameter(name, TYPES.BigInt, String(value));
    else if (typeof value === 'number') request.addParameter(name, TYPES.Float, value);
    else {
      const text =
        value === null || value === undefined
          ? null
          : typeof value === 'object'
            ? JSON.stringify(value)
            : String(value);
      request.addParameter(name, TYPES.NVarChar, text);
    }
  }

  runBatch(batch: Batch): Promise<number> {
    const limits = { syntax: sqlServerSyntax, placeholder: atPlaceholder, maxValues };
    return insertRows(
      batch,
      limits,
      (sql, values) =>
        new Promise((resolve, reject) => {
          let changed = 0;
          this.#start(
            sql,
            values,
            (error) => (error ? reject(error) : resolve(changed)),
            (rows) => {
              changed = rows;
            },
          );
        }),
    );
  }

  columnsOf(table: string): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      let names: readonly string[] = [];
      const request = this.#start(`SELECT TOP 0 * FROM ${table}`, [], (error) =>
        error ? reject(error) : resolve(names),
      );
      request.on('columnMetadata', (columns) => {
        names = Object.values(columns).map(({ colName }) => colName);
      });
    });
  }

  begin(): Promise<void> {
    return this.#control((done) => this.#connection.beginTransaction(done));
  }

  commit(): Promise<void> {
    return this.#control((done) => this.#connection.commitTransaction(done));
  }

  rollback(): Promise<void> {
    return this.#control((done) => this.#connection.rollbackTransaction(done));
  }

  async cancel(): Promise<void> {
    this.#connection.cancel();
  }

  reset(): Promise<void> {
    return this.#control((done) => this.#connection.reset(done));
  }

  #control(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  setIdle(): void {}
}

/** Rows between the driver, which pushes, and the task, which pulls. */
class RowQueue {
  readonly #zone: string;
  #rows: Row[] = [];
  #state: 'open' | 'ended' = 'open';
  #error: Error | undefined;
  #hasBegun = false;
  #wake: () => void = () => {};
  onTaken: () => void = () => {};

  constructor(zone: string) {
    this.#zone = zone;
  }

  begin(): void {
    this.#hasBegun = true;
    this.#wake();
  }

  /** True when the driver should wait. */
  add(columns: readonly TediousColumn[]): boolean {
    const row: Row = {};
    for (const { metadata, value } of columns)
      row[metadata.colName] =
        value === null || value === undefined
          ? null
          : readerOf(metadata.type.name, this.#zone, metadata.scale)(value);
    this.#rows.push(row);
    this.#wake();
    return this.#rows.length >= rowsPerBatch;
  }

  end(error: Error | undefined): void {
    this.#state = 'ended';
    this.#error = error;
    this.#wake();
  }

  async hasRows(): Promise<boolean> {
    while (!this.#hasBegun && this.#state === 'open') await this.#change();
    if (this.#error && !this.#hasBegun) throw this.#error;
    return this.#hasBegun;
  }

  async *batches(): AsyncGenerator<readonly Row[]> {
    for (;;) {
      const rows = this.#rows;
      this.#rows = [];
      if (rows.length > 0) yield rows;
      if (this.#rows.length > 0) continue;
      if (this.#error) throw this.#error;
      if (this.#state === 'ended') return;
      this.onTaken();
      await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
