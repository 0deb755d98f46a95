import { randomUUID } from 'node:crypto';
import { type OutboundResponse, readItems, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { localDateTime, withZone } from '../base/dateTexts.js';
import { defineDatabase } from '../base/defineDatabase.ts';
import { exactJson, exactNumber, parseExactJson, withScale } from '../base/exactNumber.js';
import { afterScheme, parseNetworkUrl } from '../base/jdbcUrl.ts';
import type { Batch, ConnectionInput, Database, Row, Statement } from '../base/session.ts';
import { basicAuth, cancelWithinMs, HttpSession, readText, rowsOf } from './httpSession.ts';

const format = 'JSONCompactEachRowWithNamesAndTypes';
const rowsPerBatch = 500;

interface ClickhouseSettings {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly database: string;
}

export function readClickhouseSettings(input: ConnectionInput): ClickhouseSettings {
  const rest = afterScheme(input.url, schemes, 'ClickHouse');
  const [, protocol, address = rest] = /^(https?|grpc|tcp)?:?(\/\/.*)$/s.exec(rest) ?? [];
  const { hosts, path, options } = parseNetworkUrl(address, 0);
  const isSecure = protocol === 'https' || options.get('ssl') === 'true';
  const [{ host, port }] = hosts;
  return {
    base: `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port || (isSecure ? 8443 : 8123)}/`,
    headers: basicAuth(
      input.username ?? options.get('user') ?? 'default',
      input.password ?? options.get('password'),
    ),
    database: path || options.get('database') || 'default',
  };
}

class ClickhouseSession extends HttpSession {
  readonly #settings: ClickhouseSettings;
  readonly #sessionId = randomUUID();
  #queryId = '';

  constructor(context: TaskContext, settings: ClickhouseSettings) {
    super(context);
    this.#settings = settings;
  }

  override async run({ sql, values }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const typed = sql.replace(/\{p(\d+):\?\}/g, (_, at) => `{p${at}:${typeOf(values[Number(at) - 1])}}`);
    const parameters = values.map((value, index) => [`param_p${index + 1}`, parameterText(value)] as const);
    const response = await this.#send(typed, Object.fromEntries(parameters));
    const serverZone = response.headers['x-clickhouse-timezone']?.[0] ?? 'UTC';
    const lines = readItems(response.body, '\n')[Symbol.asyncIterator]();
    const names = await lines.next();
    if (names.done) return undefined;
    const types = await lines.next();
    return readRows(lines, readList(names.value), readList(types.value ?? '[]'), serverZone);
  }

  override async runBatch({ sql, rows }: Batch): Promise<number> {
    const head = sql.replace(/\bVALUES\s*\(\s*\?(\s*,\s*\?)*\s*\)\s*;?\s*$/i, '');
    if (head === sql)
      throw new TaskFailed('"sql" must end with VALUES (?, ?, …), one placeholder for each value.', {
        retry: false,
      });
    const body = `${head}FORMAT JSONCompactEachRow\n${rows.map(exactJson).join('\n')}\n`;
    const response = await this.#send(body, { date_time_input_format: 'best_effort' });
    await readText(response);
    const summary = response.headers['x-clickhouse-summary']?.[0];
    const written: unknown = summary === undefined ? undefined : JSON.parse(summary).written_rows;
    return written === undefined ? rows.length : Number(written);
  }

  override async columnsOf(table: string): Promise<readonly string[]> {
    const response = await this.#send(`SELECT * FROM ${table} LIMIT 0`, {});
    const [names = '[]'] = (await readText(response)).split('\n');
    return readList(names);
  }

  override async cancel(): Promise<void> {
    const { headers, base } = this.#settings;
    const body = `KILL QUERY WHERE query_id = '${this.#queryId}' ASYNC`;
    const signal = AbortSignal.timeout(cancelWithinMs);
    await readText(await this.context.fetch({ url: base, method: 'POST', headers, body, signal }));
  }

  async #send(body: string, parameters: Readonly<Record<string, string>>): Promise<OutboundResponse> {
    this.#queryId = randomUUID();
    const options = new URLSearchParams({
      database: this.#settings.database,
      query_id: this.#queryId,
      session_id: this.#sessionId,
      default_format: format,
      output_format_json_quote_64bit_integers: '1',
      output_format_json_quote_decimals: '1',
      output_format_json_quote_denormals: '1',
      ...parameters,
    });
    const { base, headers } = this.#settings;
    const response = await this.context.fetch({ url: `${base}?${options}`, method: 'POST', headers, body });
    if (response.status !== 200)
      throw new Error((await readText(response)).trim() || `HTTP status ${response.status}`);
    return response;
  }
}

const readList = (text: string): string[] => {
  if (text.startsWith('[')) return JSON.parse(text);
  throw new Error(text);
};

async function* readRows(
  lines: AsyncIterator<string>,
  names: readonly string[],
  types: readonly string[],
  zone: string,
): AsyncGenerator<readonly Row[]> {
  const readers = types.map((type) => readerOf(type, zone));
  let batch: unknown[][] = [];
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    // The server writes an error that happens after the first rows where the next row would be.
    if (!line.value.startsWith('[')) throw new Error(line.value);
    // `as`: each line is a list of cells.
    batch.push(parseExactJson(line.value) as unknown[]);
    if (batch.length >= rowsPerBatch) {
      yield rowsOf(names, readers, batch);
      batch = [];
    }
  }
  yield rowsOf(names, readers, batch);
}

/** How values of a column are read; `zone` is that of the server, for columns that name none. */
export function readerOf(type: string, zone: string): (value: unknown) => unknown {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1];
  if (inner !== undefined) return readerOf(inner, zone);
  const item = /^Array\((.*)\)$/s.exec(type)?.[1];
  if (item !== undefined) {
    const read = readerOf(item, zone);
    return (value) =>
      Array.isArray(value) ? value.map((each) => (each === null ? null : read(each))) : value;
  }
  if (/^U?Int(64|128|256)$/.test(type)) return (value) => exactNumber(String(value));
  const decimal = /^Decimal.*?(\d+)\)$/.exec(type);
  // The server drops the zeros at the end of decimals.
  if (decimal) return (value) => exactNumber(withScale(String(value), Number(decimal[1])));
  const [, precise, named] = /^DateTime(64)?(?:\([^']*(?:'([^']+)')?\))?$/.exec(type) ?? [];
  if (named !== undefined || precise !== undefined) return (value) => withZone(String(value), named ?? zone);
  if (type.startsWith('DateTime')) return (value) => localDateTime(String(value));
  return (value) => value;
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'Nullable(String)';
  if (Number.isSafeInteger(value)) return 'Int64';
  if (typeof value === 'number') return 'Float64';
  if (typeof value === 'boolean') return 'Bool';
  return Array.isArray(value) ? `Array(${value.length === 0 ? 'String' : typeOf(value[0])})` : 'String';
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');

/** Parameters are sent in the escaped form of the format TabSeparated. */
function parameterText(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (Array.isArray(value))
    return `[${value.map((item) => (typeof item === 'string' ? `'${escaped(item).replaceAll("'", "\\'")}'` : String(item))).join(',')}]`;
  return escaped(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const schemes = ['jdbc:clickhouse:', 'jdbc:ch:'] as const;

const clickhouse: Database = {
  name: 'clickhouse',
  title: 'ClickHouse',
  schemes,
  exampleUrl: 'jdbc:clickhouse://localhost:8123/default',
  syntax: { backslash: true, hashComments: true },
  placeholder: (position) => `{p${position}:?}`,
  batchPlaceholder: () => '?',
  quoteName: (name) => `\`${name.replaceAll('`', '\\`')}\``,
  isPooled: false,
  notice: 'Statements go over HTTP; there are no transactions.',
  open: async (context, input) => new ClickhouseSession(context, readClickhouseSettings(input)),
};

export const clickhouseTypes = defineDatabase(clickhouse, { batch: 'BulkInsert' });
