import { localDateTime, localTime } from '../base/dateTexts.js';
import { doubleValue, exactNumber } from '../base/exactNumber.js';
import { fetchSizer } from '../base/fetchSizer.ts';
import type { Batch, Row, Session, Statement } from '../base/session.ts';
import type { HanaColumn, HanaResultSet, HanaStatement, OpenClient } from './client.ts';

/** The most rows of one fetch, a limit of the protocol. */
const maxFetchSize = 32_767;
/** How many rows the driver parses at once. */
const partRows = 256;

export class HanaSession implements Session {
  readonly #opened: OpenClient;

  constructor(opened: OpenClient) {
    this.#opened = opened;
  }

  async run({ sql, values, fetchSize }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const sizer = fetchSizer(Math.min(fetchSize, maxFetchSize));
    const options = { rowsAsArray: true, fetchSize: sizer.next() };
    const statement = values.length === 0 ? undefined : await this.#prepare(sql);
    const results = await new Promise<readonly unknown[]>((resolve, reject) => {
      const done = (error: Error | null, ...found: readonly unknown[]) =>
        error ? reject(error) : resolve(found);
      if (statement) statement.execute(values.map(toBind), options, done);
      else this.#opened.client.execute(sql, options, done);
    });
    const rows = results.find(isResultSet);
    if (!rows) {
      await drop(statement);
      return undefined;
    }
    return readRows(rows, sizer, statement);
  }

  async runBatch({ sql, rows }: Batch): Promise<number> {
    const statement = await this.#prepare(sql);
    try {
      const [changed] = await new Promise<readonly unknown[]>((resolve, reject) =>
        statement.exec(
          rows.map((row) => row.map(toBind)),
          {},
          (error, ...found) => (error ? reject(error) : resolve(found)),
        ),
      );
      // The driver counts each row.
      const counts = Array.isArray(changed) ? changed : [changed];
      return counts.reduce((sum: number, count) => sum + (Number(count) || 0), 0);
    } finally {
      await drop(statement);
    }
  }

  async columnsOf(table: string): Promise<readonly string[]> {
    const statement = await this.#prepare(`SELECT * FROM ${table} WHERE 1 = 0`);
    await drop(statement);
    return (statement.resultSetMetadata ?? []).map(({ columnDisplayName }) => columnDisplayName);
  }

  async begin(): Promise<void> {
    this.#opened.client.setAutoCommit(false);
  }

  commit(): Promise<void> {
    return this.#end((done) => this.#opened.client.commit(done));
  }

  rollback(): Promise<void> {
    return this.#end((done) => this.#opened.client.rollback(done));
  }

  /** The server stops a statement when its connection is closed. */
  async cancel(): Promise<void> {
    this.#opened.destroy();
  }

  async reset(): Promise<void> {}

  async close(): Promise<void> {
    this.#opened.destroy();
  }

  setIdle(): void {}

  async #end(run: (done: (error?: Error | null) => void) => void): Promise<void> {
    await new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve())));
    this.#opened.client.setAutoCommit(true);
  }

  #prepare(sql: string): Promise<HanaStatement> {
    return new Promise((resolve, reject) =>
      this.#opened.client.prepare(sql, (error, statement) => (error ? reject(error) : resolve(statement))),
    );
  }
}

const isResultSet = (value: unknown): value is HanaResultSet =>
  typeof value === 'object' && value !== null && 'createArrayStream' in value;

const drop = (statement: HanaStatement | undefined): Promise<void> =>
  new Promise((resolve) => (statement ? statement.drop(() => resolve()) : resolve()));

async function* readRows(
  rows: HanaResultSet,
  sizer: ReturnType<typeof fetchSizer>,
  statement: HanaStatement | undefined,
): AsyncGenerator<readonly Row[]> {
  const { metadata } = rows;
  try {
    for await (const part of rows.createArrayStream(partRows)) {
      sizer.measure(part);
      rows.setFetchSize(sizer.next());
      const read: Row[] = [];
      for (const cells of part) {
        const row: Row = {};
        for (const [index, column] of metadata.entries())
          row[column.columnDisplayName] = await readCell(rows, column, cells[index]);
        read.push(row);
      }
      yield read;
    }
  } finally {
    await new Promise<void>((resolve) => rows.close(() => resolve()));
    await drop(statement);
  }
}

const codes = {
  numbers: new Set([4, 5, 76, 81, 82]),
  doubles: new Set([6, 7]),
  times: new Set([15, 64]),
  timestamps: new Set([16, 61, 62]),
  textObjects: new Set([25, 26, 31, 32, 51, 53, 72, 73]),
  binaryObjects: new Set([27, 71]),
};

/** The value of a cell by the type code of its column. */
export async function readCell(
  rows: Pick<HanaResultSet, 'createLob'>,
  { dataType }: HanaColumn,
  value: unknown,
): Promise<unknown> {
  if (value === null || value === undefined) return null;
  if (codes.numbers.has(dataType)) return exactNumber(String(value));
  if (codes.doubles.has(dataType)) return doubleValue(Number(value));
  if (codes.times.has(dataType)) return localTime(String(value));
  if (codes.timestamps.has(dataType)) return localDateTime(String(value));
  const isText = codes.textObjects.has(dataType);
  if (isText || codes.binaryObjects.has(dataType)) {
    const content = value instanceof Uint8Array ? Buffer.from(value) : await readLob(rows, value);
    return content.toString(isText ? 'utf8' : 'base64');
  }
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

const readLob = (rows: Pick<HanaResultSet, 'createLob'>, locator: unknown): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    rows.createLob(locator).read((error, content) => (error ? reject(error) : resolve(Buffer.from(content)))),
  );

/** Lists and maps are JSON; numbers with many digits are text, which the server converts. */
function toBind(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return String(value.toJSON());
  return JSON.stringify(value);
}
