import { DatabaseSync } from '@photostructure/sqlite';
import { instant, localTime } from '../base/dateTexts.js';
import { doubleValue, exactNumber } from '../base/exactNumber.js';

const rowsPerBatch = 500;

/**
 * @param {{ database: string }} request
 * @returns {Promise<import('./host.js').EmbeddedSession>}
 */
export async function openSqlite({ database }) {
  const connection = new DatabaseSync(database, { timeout: 10_000 });
  /** An iterator of the driver does not keep its statement alive, and the garbage collector would finalize it. */
  const reading = new Set();
  return {
    async run(sql, values) {
      const statement = connection.prepare(sql);
      statement.setReadBigInts(true);
      const columns = statement.columns();
      const parameters = values.map(toParameter);
      if (columns.length === 0) {
        statement.run(...parameters);
        return undefined;
      }
      const readers = columns.map(({ name, type }) => /** @type {const} */ ([name, readerOf(type ?? '')]));
      reading.add(statement);
      return batchesOf(statement.iterate(...parameters), readers, () => reading.delete(statement));
    },
    async close() {
      connection.close();
    },
  };
}

/**
 * @param {Iterable<Record<string, unknown>>} rows
 * @param {readonly (readonly [string, (value: unknown) => unknown])[]} readers
 * @param {() => unknown} end
 */
async function* batchesOf(rows, readers, end) {
  try {
    let batch = [];
    for (const row of rows) {
      batch.push(Object.fromEntries(readers.map(([name, read]) => [name, read(row[name])])));
      if (batch.length >= rowsPerBatch) {
        yield batch;
        batch = [];
      }
    }
    yield batch;
  } finally {
    end();
  }
}

/**
 * SQLite has no types for dates and times, so the declared type of the column decides how to read a value.
 * @param {string} declared @returns {(value: unknown) => unknown}
 */
function readerOf(declared) {
  const type = declared.toUpperCase().replace(/\(.*$/, '').trim();
  if (type === 'DATE') return (value) => isoOf(value)?.slice(0, 10) ?? plain(value);
  if (type === 'DATETIME' || type.startsWith('TIMESTAMP')) return (value) => isoOf(value) ?? plain(value);
  if (type === 'TIME') return (value) => (typeof value === 'string' ? localTime(value) : plain(value));
  return plain;
}

/**
 * An instant: text as ISO 8601 or `yyyy-MM-dd HH:mm:ss`, or milliseconds since 1970.
 * @param {unknown} value
 */
function isoOf(value) {
  if (typeof value === 'bigint') return instant(new Date(Number(value)).toISOString());
  if (typeof value !== 'string') return undefined;
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00Z` : instant(value);
}

/** @param {unknown} value */
function plain(value) {
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (typeof value === 'number') return doubleValue(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value ?? null;
}

/** @param {unknown} value */
function toParameter(value) {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
