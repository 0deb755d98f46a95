import type { TaskContext } from '@millrace/plugin-kit';
import { inZone } from '../base/dateTexts.js';
import { doubleValue, exactNumber } from '../base/exactNumber.js';
import { fetchSizer } from '../base/fetchSizer.ts';
import type { Batch, Row, Session, Statement } from '../base/session.ts';

/** The part of the driver that is used here. */
export interface OracleDriver {
  readonly STRING: unknown;
  readonly BUFFER: unknown;
  readonly OUT_FORMAT_ARRAY: unknown;
  getConnection(options: object): Promise<OracleConnection>;
}

interface OracleColumn {
  readonly name: string;
  readonly dbTypeName: string;
}

interface OracleResult {
  readonly metaData?: readonly OracleColumn[];
  readonly resultSet?: OracleResultSet;
  readonly rowsAffected?: number;
}

interface OracleResultSet {
  getRows(count: number): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

export interface OracleConnection {
  execute(sql: string, binds: readonly unknown[], options: object): Promise<OracleResult>;
  executeMany(sql: string, rows: readonly (readonly unknown[])[], options: object): Promise<OracleResult>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  break(): Promise<void>;
  close(): Promise<void>;
}

export class OracleSession implements Session {
  readonly #driver: OracleDriver;
  readonly #connection: OracleConnection;
  readonly #zone: string;
  #isInTransaction = false;

  constructor(driver: OracleDriver, connection: OracleConnection, zone: string) {
    this.#driver = driver;
    this.#connection = connection;
    this.#zone = zone;
  }

  async run({ sql, values, fetchSize }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const { STRING, BUFFER, OUT_FORMAT_ARRAY } = this.#driver;
    const { metaData, resultSet } = await this.#connection.execute(sql, values.map(toBind), {
      resultSet: true,
      outFormat: OUT_FORMAT_ARRAY,
      autoCommit: !this.#isInTransaction,
      // Fetches numbers as digits and large objects as their content.
      fetchTypeHandler: ({ dbTypeName }: OracleColumn) => {
        if (/^(NUMBER|CLOB|NCLOB|LONG|ROWID)$/.test(dbTypeName)) return { type: STRING };
        return dbTypeName === 'BLOB' ? { type: BUFFER } : undefined;
      },
    });
    if (!resultSet || !metaData) return undefined;
    const readers = metaData.map((column) => [column.name, readerOf(column, this.#zone)] as const);
    const sizer = fetchSizer(fetchSize);
    return (async function* () {
      try {
        for (;;) {
          const rows = await resultSet.getRows(sizer.next());
          if (rows.length === 0) return;
          sizer.measure(rows);
          yield rows.map((cells) =>
            Object.fromEntries(
              readers.map(([name, read], index) => [
                name,
                (cells[index] ?? null) === null ? null : read(cells[index]),
              ]),
            ),
          );
        }
      } finally {
        await resultSet.close();
      }
    })();
  }

  async runBatch({ sql, rows }: Batch): Promise<number> {
    const { rowsAffected } = await this.#connection.executeMany(
      sql,
      rows.map((row) => row.map(toBind)),
      {
        autoCommit: false,
      },
    );
    return rowsAffected ?? 0;
  }

  async columnsOf(table: string): Promise<readonly string[]> {
    const { metaData = [], resultSet } = await this.#connection.execute(
      `SELECT * FROM ${table} WHERE 1 = 0`,
      [],
      { resultSet: true },
    );
    await resultSet?.close();
    return metaData.map(({ name }) => name);
  }

  async begin(): Promise<void> {
    this.#isInTransaction = true;
  }

  async commit(): Promise<void> {
    this.#isInTransaction = false;
    await this.#connection.commit();
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false;
    await this.#connection.rollback();
  }

  cancel(): Promise<void> {
    return this.#connection.break();
  }

  async reset(): Promise<void> {}

  async close(): Promise<void> {
    await this.#connection.close().catch(() => {});
  }

  setIdle(): void {}
}

const two = (value: number, length = 2): string => String(value).padStart(length, '0');

/** The driver returns dates without a zone as dates in the time zone of this process. */
function localClock(date: Date): string {
  const fraction =
    date.getMilliseconds() === 0 ? '' : `.${two(date.getMilliseconds(), 3).replace(/0+$/, '')}`;
  return `${two(date.getFullYear(), 4)}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}${fraction}`;
}

/** How values of a column are read. */
export function readerOf({ dbTypeName }: OracleColumn, zone: string): (value: unknown) => unknown {
  if (dbTypeName === 'NUMBER') return (value) => exactNumber(String(value));
  const hasZone =
    dbTypeName.includes('TIME ZONE') || dbTypeName.includes('LTZ') || dbTypeName.endsWith('_TZ');
  return (value) => {
    if (value instanceof Date) return hasZone ? inZone(value.toISOString(), zone) : localClock(value);
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (typeof value === 'number') return doubleValue(value);
    return typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value;
  };
}

/** Lists and maps are JSON. */
function toBind(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.stringify(value)
    : value;
}

/** Checks each address that the driver may open against the outbound policy. */
export async function checkHosts(
  context: Pick<TaskContext, 'mayReach'>,
  hosts: readonly { readonly host: string; readonly port: number }[],
): Promise<void> {
  for (const { host, port } of hosts) await context.mayReach(`http://${host}:${port}`);
}
