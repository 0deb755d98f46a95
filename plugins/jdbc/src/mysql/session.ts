import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { Connection, FieldPacket, Query, QueryOptions } from 'mysql2';
import { inZone } from '../base/dateTexts.js';
import { insertRows } from '../base/insertRows.ts';
import type { SqlSyntax } from '../base/lexSql.ts';
import type { Batch, Row, Session, Statement } from '../base/session.ts';
import { cellReader, type MysqlColumn, type ReadCell } from './cells.ts';
import { type OpenConnection, openConnection } from './client.ts';
import type { MysqlSettings } from './settings.ts';

export const mysqlSyntax: SqlSyntax = { backslash: true, hashComments: true };

/** The most values of one statement, a limit of the protocol. */
const maxValues = 65_000;
const rowsPerBatch = 200;

/** Where `LOAD DATA LOCAL INFILE` may read. */
export interface LocalFile {
  readonly path: string | undefined;
}

export async function openMysqlSession(
  context: TaskContext,
  settings: MysqlSettings,
  localFile: LocalFile,
): Promise<Session> {
  const session = new MysqlSession(context, await openConnection(context, settings), settings, localFile);
  try {
    await session.prepare();
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

class MysqlSession implements Session {
  readonly #context: Pick<TaskContext, 'connect'>;
  readonly #opened: OpenConnection;
  readonly #connection: Connection;
  readonly #settings: MysqlSettings;
  readonly #localFile: LocalFile;
  readonly #instants = new Map<string, Set<number>>();
  #serverZone = 'UTC';

  constructor(
    context: Pick<TaskContext, 'connect'>,
    opened: OpenConnection,
    settings: MysqlSettings,
    localFile: LocalFile,
  ) {
    this.#context = context;
    this.#opened = opened;
    this.#connection = opened.connection;
    this.#settings = settings;
    this.#localFile = localFile;
  }

  /** Reads the time zone of the session, which is needed to convert timestamps to instants. */
  async prepare(): Promise<void> {
    this.#serverZone = this.#settings.serverZone ?? (await this.#readZone());
  }

  async #readZone(): Promise<string> {
    const [row] = await this.#rows(
      'SELECT @@session.time_zone, @@system_time_zone, TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(), NOW())',
    );
    const [session = '', system = '', minutes = 0] = row ?? [];
    const named = [session, system].map(String).find((name) => /^([+-]\d{2}:\d{2}|UTC|\w+\/\w+)$/.test(name));
    const offset = Math.abs(Number(minutes));
    const two = (value: number) => String(value).padStart(2, '0');
    const current = `${Number(minutes) < 0 ? '-' : '+'}${two(Math.floor(offset / 60))}:${two(offset % 60)}`;
    return String(session) === 'SYSTEM' || named === undefined ? (named === 'UTC' ? named : current) : named;
  }

  async run({ sql, values }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const zone = this.#serverZone;
    const results = new ResultReader(this.#start(sql, values), (column) => cellReader(column, zone));
    return (await results.hasRows()) ? results.batches() : undefined;
  }

  #start(sql: string, values: readonly unknown[]): Query {
    const infileStreamFactory = (path: string): Readable => {
      if (path === this.#localFile.path) return createReadStream(path);
      const refusal = `LOAD DATA LOCAL INFILE may only read "inputFile", not "${path}".`;
      return new Readable({
        read() {
          this.destroy(new TaskFailed(refusal, { retry: false }));
        },
      });
    };
    // `as`: the types of the option are older than the option.
    const options = { sql, values: values.map(toParameter), infileStreamFactory } as QueryOptions;
    return values.length === 0 ? this.#connection.query(options) : this.#connection.execute(options);
  }

  /**
   * The server accepts no instants with `Z` or an offset, and does not report in advance which values it
   * reads as dates. When it rejects an instant, the values of that position are sent in its time zone, in
   * this and later batches.
   */
  async runBatch(batch: Batch): Promise<number> {
    const { sql } = batch;
    const positions = this.#instants.get(sql) ?? new Set<number>();
    this.#instants.set(sql, positions);
    await this.#control('SAVEPOINT millrace_batch');
    for (;;) {
      try {
        const rows =
          positions.size === 0 ? batch.rows : batch.rows.map((row) => this.#onServerClock(row, positions));
        return await this.#insert({ sql, rows });
      } catch (error) {
        const refused = refusedPosition(error, batch.rows);
        if (refused === undefined || positions.has(refused)) throw error;
        positions.add(refused);
        await this.#control('ROLLBACK TO SAVEPOINT millrace_batch');
      }
    }
  }

  #onServerClock(row: readonly unknown[], positions: ReadonlySet<number>): readonly unknown[] {
    return row.map((value, index) =>
      positions.has(index) && isInstant(value)
        ? inZone(value, this.#serverZone)
            .replace('T', ' ')
            .replace(/(Z|[+-][\d:]+)$/, '')
        : value,
    );
  }

  #insert(batch: Batch): Promise<number> {
    const limits = { syntax: mysqlSyntax, placeholder: () => '?', maxValues };
    return insertRows(
      batch,
      limits,
      (sql, values) =>
        new Promise((resolve, reject) => {
          this.#connection.execute({ sql, values: values.map(toParameter) }, (error, result) =>
            error ? reject(error) : resolve('affectedRows' in result ? result.affectedRows : 0),
          );
        }),
    );
  }

  async columnsOf(table: string): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      this.#connection.query(`SELECT * FROM ${table} LIMIT 0`, (error, _, fields) =>
        error ? reject(error) : resolve(fields.map(({ name }) => name)),
      );
    });
  }

  begin(): Promise<void> {
    return this.#control('START TRANSACTION');
  }

  commit(): Promise<void> {
    return this.#control('COMMIT');
  }

  rollback(): Promise<void> {
    return this.#control('ROLLBACK');
  }

  async #control(sql: string): Promise<void> {
    await this.#rows(sql);
  }

  #rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    return new Promise((resolve, reject) => {
      this.#connection.query(sql, (error, rows) => {
        if (error) return reject(error);
        // `as`: rows are requested as lists.
        resolve((Array.isArray(rows) ? rows : []) as unknown[][]);
      });
    });
  }

  /** Cancels the statement of this connection through a second connection. */
  async cancel(): Promise<void> {
    const { connection, socket } = await openConnection(
      this.#context,
      this.#settings,
      new AbortController().signal,
    );
    try {
      await new Promise<void>((resolve) => {
        connection.query(`KILL QUERY ${Number(this.#connection.threadId)}`, () => resolve());
      });
    } finally {
      connection.destroy();
      socket.destroy();
    }
  }

  async reset(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      // `as`: the types do not include the command yet.
      const { reset } = this.#connection as unknown as { reset(done: (error: Error | null) => void): void };
      reset.call(this.#connection, (error) => (error ? reject(error) : resolve()));
    });
    await this.prepare();
  }

  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#connection.end(() => resolve());
      setTimeout(resolve, 500).unref();
    });
    await ended;
    this.#connection.destroy();
    this.#opened.socket.destroy();
  }

  setIdle(isIdle: boolean): void {
    const { socket } = this.#opened;
    if (isIdle) socket.unref();
    else socket.ref();
  }
}

/** Reads the rows of one command, of all its result sets one after the other. */
class ResultReader {
  readonly #stream: Readable;
  #readers: readonly (readonly [string, ReadCell])[] | undefined;

  constructor(query: Query, readerOf: (column: MysqlColumn) => ReadCell) {
    this.#stream = query.stream({ highWaterMark: rowsPerBatch });
    // An error between two reads, or after the rows were given up, has no other listener; the next read throws it.
    query.on('error', () => {});
    this.#stream.on('error', () => {});
    this.#stream.on('fields', (fields: readonly FieldPacket[] | undefined) => {
      // `as`: the library returns more column metadata than its types declare.
      const columns = fields as unknown as readonly MysqlColumn[] | undefined;
      if (columns) this.#readers = columns.map((column) => [column.name, readerOf(column)] as const);
    });
  }

  /** True when the first thing that arrives is a row or the description of rows. */
  hasRows(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const stream = this.#stream;
      const onFields = (fields: unknown) => settle(fields !== undefined);
      const onEnd = () => settle(false);
      const onError = (error: Error) => {
        forget();
        reject(error);
      };
      const forget = () => {
        stream.off('fields', onFields);
        stream.off('end', onEnd);
        stream.off('error', onError);
      };
      const settle = (hasRows: boolean) => {
        forget();
        if (hasRows) return resolve(true);
        // The outcome of a statement without rows is read to its end, where errors of a local file appear.
        stream.on('error', reject);
        stream.on('close', () => resolve(false));
        stream.resume();
      };
      stream.on('fields', onFields);
      stream.on('end', onEnd);
      stream.on('error', onError);
    });
  }

  async *batches(): AsyncGenerator<readonly Row[]> {
    let batch: Row[] = [];
    for await (const cells of this.#stream) {
      // A procedure ends with a status packet, which is not a row.
      if (!Array.isArray(cells)) continue;
      batch.push(this.#toRow(cells));
      if (batch.length >= rowsPerBatch) {
        yield batch;
        batch = [];
      }
    }
    yield batch;
  }

  #toRow(cells: readonly unknown[]): Row {
    const row: Row = {};
    this.#readers?.forEach(([name, read], index) => {
      const value = cells[index] ?? null;
      row[name] = value === null ? null : read(value);
    });
    return row;
  }
}

/** Prepared statements accept no lists or maps, so these become JSON. */
const toParameter = (value: unknown): string | number | boolean | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
};

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(value);

/** The position in its row of an instant that the server rejected. */
function refusedPosition(error: unknown, rows: readonly (readonly unknown[])[]): number | undefined {
  const refused =
    error instanceof Error
      ? /Incorrect (?:date|time|datetime|timestamp) value: '([^']+)'/.exec(error.message)?.[1]
      : undefined;
  if (!isInstant(refused)) return undefined;
  const found = rows.map((row) => row.indexOf(refused)).find((position) => position >= 0);
  return found;
}
