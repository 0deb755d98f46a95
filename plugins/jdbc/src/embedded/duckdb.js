import {
  BIGINT,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBIntervalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBUnionValue,
  ResultReturnType,
} from '@duckdb/node-api';
import { instant, localTime, withZone } from '../base/dateTexts.js';
import { doubleValue, exactNumber, parseExactJson } from '../base/exactNumber.js';

/**
 * @param {{ database: string, folder: string, zone: string, extensions: readonly string[] }} request
 * @param {(message: string) => void} warn
 * @returns {Promise<import('./host.js').EmbeddedSession>}
 */
export async function openDuckdb({ database, folder, zone, extensions }, warn) {
  const instance = await DuckDBInstance.create(database, { temp_directory: `${folder}/spill` });
  const connection = await instance.connect();
  const workingFolder = process.cwd();
  // DuckDB counts 16 bytes for a text of any length, so its default of 1 MB can hold hundreds of MB.
  await connection.run("SET streaming_buffer_size = '48KB'");
  await connection.run(`SET file_search_path = '${workingFolder.replaceAll("'", "''")}'`);
  for (const name of extensions) await loadExtension(connection, name, warn);
  return {
    async run(sql, values) {
      if (await isBuiltIn(connection, sql)) return undefined;
      const types = values.map((value) => (Number.isSafeInteger(value) ? BIGINT : undefined));
      const parameters = values.map(toParameter);
      const result =
        values.length === 0
          ? await connection.stream(sql)
          : // `as`: an undefined type is one that the library finds by itself.
            await connection.stream(
              sql,
              parameters,
              /** @type {import('@duckdb/node-api').DuckDBType[]} */ (types),
            );
      if (result.returnType !== ResultReturnType.QUERY_RESULT) {
        while ((await result.fetchChunk())?.rowCount);
        return undefined;
      }
      return batchesOf(result, zone, `${workingFolder}/`);
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/**
 * Whether the statement installs an extension that is part of DuckDB, such as `json`. DuckDB would
 * download it, which fails on a machine without access to the internet.
 * @param {import('@duckdb/node-api').DuckDBConnection} connection
 * @param {string} sql
 */
async function isBuiltIn(connection, sql) {
  const [, name] = /^\s*install\s+'?(\w+)'?\s*;?\s*$/i.exec(sql) ?? [];
  if (name === undefined) return false;
  const found = await connection.runAndReadAll(
    'SELECT 1 FROM duckdb_extensions() WHERE loaded AND (extension_name = $1 OR list_contains(aliases, $1))',
    [name.toLowerCase()],
  );
  return found.currentRowCount > 0;
}

/**
 * @param {import('@duckdb/node-api').DuckDBConnection} connection
 * @param {string} name
 * @param {(message: string) => void} warn
 */
async function loadExtension(connection, name, warn) {
  try {
    if (!/^\w+$/.test(name)) throw new Error('it is no name of an extension');
    await connection.run(`INSTALL ${name} FROM community`);
    await connection.run(`LOAD ${name}`);
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    warn(`The extension "${name}" is not available: ${reason}`);
  }
}

/**
 * @param {import('@duckdb/node-api').DuckDBResult} result
 * @param {string} zone
 * @param {string} prefix
 */
async function* batchesOf(result, zone, prefix) {
  const names = result.columnNames();
  const isJson = result.columnTypes().map(({ alias }) => alias === 'JSON');
  for await (const rows of result.yieldRows()) {
    yield rows.map((cells) => {
      /** @type {Record<string, unknown>} */
      const row = {};
      names.forEach((name, index) => {
        const value = toCell(cells[index], zone);
        // `filename = true` yields paths in the working folder, which are meaningless for later tasks.
        if (name === 'filename' && typeof value === 'string' && value.startsWith(prefix))
          row[name] = value.slice(prefix.length);
        else row[name] = isJson[index] && typeof value === 'string' ? readJson(value) : value;
      });
      return row;
    });
  }
}

/** @param {string} text */
function readJson(text) {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

/**
 * @param {unknown} value @param {string} zone
 * @returns {unknown}
 */
function toCell(value, zone) {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return doubleValue(value);
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (typeof value !== 'object') return value;
  if (value instanceof DuckDBDecimalValue) return exactNumber(value.toString());
  if (value instanceof DuckDBTimestampTZValue)
    return instant(`${new DuckDBTimestampValue(value.micros).toString()}Z`);
  if (
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimestampSecondsValue ||
    value instanceof DuckDBTimestampMillisecondsValue ||
    value instanceof DuckDBTimestampNanosecondsValue
  )
    return withZone(value.toString(), zone);
  if (value instanceof DuckDBTimeValue) return localTime(value.toString());
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  if (value instanceof DuckDBIntervalValue) return isoInterval(value);
  return toCollection(value, zone);
}

/**
 * @param {object} value @param {string} zone
 * @returns {unknown}
 */
function toCollection(value, zone) {
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
    return value.items.map((item) => toCell(item, zone));
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(
      Object.entries(value.entries).map(([key, inner]) => [key, toCell(inner, zone)]),
    );
  if (value instanceof DuckDBMapValue)
    return Object.fromEntries(
      value.entries.map(({ key, value: inner }) => [String(key), toCell(inner, zone)]),
    );
  if (value instanceof DuckDBUnionValue) return toCell(value.value, zone);
  return String(value);
}

/** @param {DuckDBIntervalValue} interval */
function isoInterval({ months, days, micros }) {
  const seconds = Number(micros) / 1_000_000;
  const hours = Math.trunc(seconds / 3600);
  const minutes = Math.trunc((seconds % 3600) / 60);
  return `P${Math.trunc(months / 12)}Y${months % 12}M${days}DT${hours}H${minutes}M${Number((seconds % 60).toFixed(6))}S`;
}

/**
 * @param {unknown} value
 * @returns {import('@duckdb/node-api').DuckDBValue}
 */
function toParameter(value) {
  if (Number.isSafeInteger(value)) return BigInt(/** @type {number} */ (value));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value);
  // `as`: a parameter in a flow is a plain value or a list of plain values.
  return /** @type {import('@duckdb/node-api').DuckDBValue} */ (value);
}
