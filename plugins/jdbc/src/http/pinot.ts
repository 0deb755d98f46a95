import { Decimal, Real } from '@millrace/expression';
import { type JsonValueAt, readJsonValues, type TaskContext } from '@millrace/plugin-kit';
import { inZone } from '../base/dateTexts.js';
import { defineDatabase } from '../base/defineDatabase.ts';
import { exactNumber } from '../base/exactNumber.js';
import { afterScheme, parseNetworkUrl } from '../base/jdbcUrl.ts';
import type { ConnectionInput, Database, Row, Statement } from '../base/session.ts';
import { checkZone, serverZone } from '../base/timeZone.ts';
import { basicAuth, HttpSession, readText, rowsOf, sqlLiteral } from './httpSession.ts';

interface PinotSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly zone: string;
}

interface PinotSchema {
  readonly columnNames: readonly string[];
  readonly columnDataTypes: readonly string[];
}

/** The URL names the controller, which passes queries on to a broker. */
function readSettings(input: ConnectionInput): PinotSettings {
  const { hosts, options } = parseNetworkUrl(afterScheme(input.url, ['jdbc:pinot:'], 'Pinot'), 9000);
  const [{ host, port }] = hosts;
  const protocol = options.get('scheme') === 'https' || options.get('ssl') === 'true' ? 'https' : 'http';
  return {
    url: `${protocol}://${host}:${port}/sql`,
    headers: {
      'content-type': 'application/json',
      ...basicAuth(input.username ?? options.get('user'), input.password ?? options.get('password')),
    },
    zone: input.timeZoneId === undefined ? serverZone() : checkZone(input.timeZoneId),
  };
}

class PinotSession extends HttpSession {
  readonly #settings: PinotSettings;

  constructor(context: TaskContext, settings: PinotSettings) {
    super(context);
    this.#settings = settings;
  }

  override async run({ sql, values }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const { url, headers, zone } = this.#settings;
    const bound = sql.replace(/\{p(\d+)\}/g, (_, at) => sqlLiteral(values[Number(at) - 1]));
    const response = await this.context.fetch({
      url,
      method: 'POST',
      headers,
      body: JSON.stringify({ sql: bound }),
    });
    if (response.status !== 200)
      throw new Error((await readText(response)).trim() || `HTTP status ${response.status}`);
    const parts = readJsonValues(response.body, isPart);
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      const { path, value } = part.value;
      if (path[0] === 'exceptions') checkExceptions(value);
      // `as`: the API documents the result.
      else if (path[1] === 'dataSchema') return readRows(parts, value as PinotSchema, zone);
    }
    return undefined;
  }
}

/** The result is one document; its rows are read one by one, because it may be larger than the memory. */
const isPart = (path: JsonValueAt['path']): boolean =>
  path[0] === 'exceptions'
    ? path.length === 1
    : path[0] === 'resultTable' &&
      (path[1] === 'dataSchema' ? path.length === 2 : path[1] === 'rows' && path.length === 3);

function checkExceptions(value: unknown): void {
  const [failure] = value as readonly { readonly message: string }[]; // As documented.
  if (failure) throw new Error(failure.message);
}

async function* readRows(
  parts: AsyncGenerator<JsonValueAt>,
  { columnNames, columnDataTypes }: PinotSchema,
  zone: string,
): AsyncGenerator<readonly Row[]> {
  const readers = columnDataTypes.map((type) => readerOf(type, zone));
  for await (const { path, value } of parts) {
    if (path[0] === 'exceptions') checkExceptions(value);
    else yield rowsOf(columnNames, readers, [value as readonly unknown[]]); // As documented.
  }
}

function readerOf(type: string, zone: string): (value: unknown) => unknown {
  if (type === 'TIMESTAMP') return (value) => inZone(String(value), zone);
  if (type === 'BIG_DECIMAL') return (value) => exactNumber(String(value));
  return plain;
}

/** The numbers of the reader as rows contain them, also inside of lists. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Real) return value.digits === undefined ? value.value : exactNumber(value.digits);
  return typeof value === 'bigint' || value instanceof Decimal ? exactNumber(String(value)) : value;
}

const pinot: Database = {
  name: 'pinot',
  title: 'Pinot',
  schemes: ['jdbc:pinot:'],
  exampleUrl: 'jdbc:pinot://localhost:9000',
  syntax: {},
  placeholder: (position) => `{p${position}}`,
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  isPooled: false,
  notice: 'Statements go to the controller of Pinot over HTTP; there are no transactions.',
  open: async (context, input) => new PinotSession(context, readSettings(input)),
};

export const pinotTypes = defineDatabase(pinot);
