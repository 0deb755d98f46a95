import { importModule, type TaskContext } from '@millrace/plugin-kit';
import type { Client, FieldDef } from 'pg';
import type Cursor from 'pg-cursor';
import { fetchSizer } from '../base/fetchSizer.ts';
import { insertRows } from '../base/insertRows.ts';
import type { SqlSyntax } from '../base/lexSql.ts';
import type { Batch, Row, Session, Statement } from '../base/session.ts';
import { arrayOf, cellReader, hstore, type OwnTypes, type ReadCell } from './cells.ts';
import { type OpenClient, openClient } from './client.ts';
import type { PostgresSettings } from './settings.ts';

export const postgresSyntax: SqlSyntax = { dollars: true };
export const doubleQuoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const dollarPlaceholder = (position: number): string => `$${position}`;

/** The most values of one statement, a limit of the protocol. */
const maxValues = 65_000;

interface CursorModule {
  readonly default: typeof Cursor;
}

export interface SessionOptions {
  /** Statements that make the server send values as `cells.ts` reads them. */
  readonly setup: string;
  readonly resetSql: string;
  readonly hasOwnTypes: boolean;
  readonly cells: (zone: string, ownTypes: OwnTypes) => (type: number) => ReadCell;
}

export const postgresOptions: SessionOptions = {
  setup:
    "SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex'; SET extra_float_digits = 3",
  resetSql: 'DISCARD ALL',
  hasOwnTypes: true,
  cells: cellReader,
};

export async function openPostgresSession(
  context: TaskContext,
  settings: PostgresSettings,
  options: SessionOptions = postgresOptions,
): Promise<Session> {
  const { default: CursorClass } = await importModule<CursorModule>('pg-cursor');
  const opened = await openClient(context, settings);
  const session = new PostgresSession(opened, CursorClass, settings, options);
  try {
    await session.prepare();
    return session;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

class PostgresSession implements Session {
  readonly #opened: OpenClient;
  readonly #client: Client;
  readonly #Cursor: typeof Cursor;
  readonly #settings: PostgresSettings;
  readonly #options: SessionOptions;
  #readerOf: (type: number) => ReadCell;

  constructor(
    opened: OpenClient,
    CursorClass: typeof Cursor,
    settings: PostgresSettings,
    options: SessionOptions,
  ) {
    this.#opened = opened;
    this.#client = opened.client;
    this.#Cursor = CursorClass;
    this.#settings = settings;
    this.#options = options;
    this.#readerOf = options.cells(settings.zone, new Map());
  }

  async prepare(): Promise<void> {
    const { searchPath, zone } = this.#settings;
    await this.#client.query(this.#options.setup);
    if (searchPath !== undefined)
      await this.#client.query("SELECT set_config('search_path', $1, false)", [searchPath]);
    if (this.#options.hasOwnTypes)
      this.#readerOf = this.#options.cells(zone, await readOwnTypes(this.#client));
  }

  async run({ sql, values, fetchSize }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const cursor = this.#client.query(new this.#Cursor(sql, [...values], { rowMode: 'array' }));
    const sizer = fetchSizer(fetchSize);
    const read = (count: number) =>
      new Promise<{ rows: readonly (readonly (string | null)[])[]; fields: readonly FieldDef[] }>(
        (resolve, reject) =>
          cursor.read(count, (error: Error | undefined, rows, result) =>
            error ? reject(error) : resolve({ rows: rows ?? [], fields: result?.fields ?? [] }),
          ),
      );
    const first = await read(sizer.next());
    if (first.fields.length === 0) {
      await cursor.close();
      return undefined;
    }
    const toRow = rowReader(first.fields, this.#readerOf);
    return (async function* () {
      try {
        for (let { rows } = first; rows.length > 0; { rows } = await read(sizer.next())) {
          sizer.measure(rows);
          yield rows.map(toRow);
        }
      } finally {
        await cursor.close();
      }
    })();
  }

  runBatch(batch: Batch): Promise<number> {
    const limits = { syntax: postgresSyntax, placeholder: dollarPlaceholder, maxValues };
    return insertRows(batch, limits, async (text, values) => {
      const { rowCount } = await this.#client.query({
        text,
        values: values.map(toParameter),
        rowMode: 'array',
      });
      return rowCount ?? 0;
    });
  }

  async columnsOf(table: string): Promise<readonly string[]> {
    const { fields } = await this.#client.query(`SELECT * FROM ${table} WHERE false`);
    return fields.map(({ name }) => name);
  }

  async begin(): Promise<void> {
    await this.#client.query('BEGIN');
  }

  async commit(): Promise<void> {
    await this.#client.query('COMMIT');
  }

  async rollback(): Promise<void> {
    await this.#client.query('ROLLBACK');
  }

  cancel(): Promise<void> {
    return this.#opened.cancel();
  }

  async reset(): Promise<void> {
    await this.#client.query(this.#options.resetSql);
    await this.prepare();
  }

  close(): Promise<void> {
    return this.#opened.close();
  }

  setIdle(isIdle: boolean): void {
    this.#opened.setIdle(isIdle);
  }
}

function rowReader(
  fields: readonly FieldDef[],
  readerOf: (type: number) => ReadCell,
): (cells: readonly (string | null)[]) => Row {
  const columns = fields.map(({ name, dataTypeID }) => [name, readerOf(dataTypeID)] as const);
  return (cells) => {
    const row: Record<string, unknown> = {};
    columns.forEach(([name, read], index) => {
      const text = cells[index] ?? null;
      row[name] = text === null ? null : read(text);
    });
    return row;
  };
}

/** Maps and nested lists are JSON; a list of plain values is an array of the database. */
function toParameter(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Array.isArray(value) && value.every((item) => typeof item !== 'object')
    ? value
    : JSON.stringify(value);
}

/** Types without a fixed object id: `hstore`, and arrays of enumerations. */
async function readOwnTypes(client: Client): Promise<OwnTypes> {
  const { rows } = await client.query<{ oid: string; name: string }>(
    `SELECT t.oid, t.typname AS name FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typlen = -1
     WHERE t.typname = 'hstore' OR e.typtype = 'e'`,
  );
  return new Map(
    rows.map(({ oid, name }) => [Number(oid), name === 'hstore' ? hstore : arrayOf((text) => text)]),
  );
}
