import type { TaskContext } from '@millrace/plugin-kit';
import { inZone } from '../base/dateTexts.js';
import { defineDatabase } from '../base/defineDatabase.ts';
import { exactNumber, parseExactJson } from '../base/exactNumber.js';
import { afterScheme, parseNetworkUrl } from '../base/jdbcUrl.ts';
import type { ConnectionInput, Database, Row, Statement } from '../base/session.ts';
import { checkZone, serverZone } from '../base/timeZone.ts';
import { basicAuth, HttpSession, readText, rowsOf, sqlLiteral } from './httpSession.ts';

interface PinotSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly zone: string;
}

interface PinotResult {
  readonly exceptions?: readonly { readonly message: string }[];
  readonly resultTable?: {
    readonly dataSchema: { readonly columnNames: string[]; readonly columnDataTypes: string[] };
    readonly rows: readonly (readonly unknown[])[];
  };
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
    const text = await readText(response);
    if (response.status !== 200) throw new Error(text.trim() || `HTTP status ${response.status}`);
    // `as`: the API documents the result.
    const { exceptions = [], resultTable } = parseExactJson(text) as PinotResult;
    const [failure] = exceptions;
    if (failure) throw new Error(failure.message);
    if (!resultTable) return undefined;
    const { columnNames, columnDataTypes } = resultTable.dataSchema;
    const readers = columnDataTypes.map((type) => readerOf(type, zone));
    return (async function* () {
      yield rowsOf(columnNames, readers, resultTable.rows);
    })();
  }
}

function readerOf(type: string, zone: string): (value: unknown) => unknown {
  if (type === 'TIMESTAMP') return (value) => inZone(String(value), zone);
  if (type === 'BIG_DECIMAL') return (value) => exactNumber(String(value));
  return (value) => value;
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
