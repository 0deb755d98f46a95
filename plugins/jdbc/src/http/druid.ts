import { randomUUID } from 'node:crypto';
import { readItems, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { inZone } from '../base/dateTexts.js';
import { defineDatabase } from '../base/defineDatabase.ts';
import { parseExactJson } from '../base/exactNumber.js';
import { afterScheme, readOptions } from '../base/jdbcUrl.ts';
import type { ConnectionInput, Database, Row, Statement } from '../base/session.ts';
import { checkZone, serverZone } from '../base/timeZone.ts';
import { basicAuth, cancelWithinMs, HttpSession, readText, rowsOf } from './httpSession.ts';

interface DruidSettings {
  /** The address of the SQL API. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly zone: string;
}

/** The URL names the Avatica endpoint; the SQL API is on the same server. */
function readSettings(input: ConnectionInput): DruidSettings {
  const rest = afterScheme(input.url, ['jdbc:avatica:'], 'Druid').replace(/^remote:/, '');
  const options = new Map(readOptions(rest));
  const address = options.get('url');
  if (address === undefined)
    throw new TaskFailed(
      'The URL of Druid must read "jdbc:avatica:remote:url=http://host:8888/druid/v2/sql/avatica/".',
      { retry: false },
    );
  return {
    url: new URL('/druid/v2/sql', address).href,
    headers: {
      'content-type': 'application/json',
      ...basicAuth(
        input.username ?? options.get('avatica_user') ?? options.get('user'),
        input.password ?? options.get('avatica_password') ?? options.get('password'),
      ),
    },
    zone: input.timeZoneId === undefined ? serverZone() : checkZone(input.timeZoneId),
  };
}

class DruidSession extends HttpSession {
  readonly #settings: DruidSettings;
  #queryId = '';

  constructor(context: TaskContext, settings: DruidSettings) {
    super(context);
    this.#settings = settings;
  }

  override async run({ sql, values }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const { url, headers, zone } = this.#settings;
    this.#queryId = randomUUID();
    const body = JSON.stringify({
      query: sql,
      resultFormat: 'arrayLines',
      header: true,
      sqlTypesHeader: true,
      context: { sqlQueryId: this.#queryId },
      parameters: values.map((value) => ({ type: typeOf(value), value })),
    });
    const response = await this.context.fetch({ url, method: 'POST', headers, body });
    if (response.status !== 200) throw new Error(errorText(await readText(response)));
    const lines = readItems(response.body, '\n')[Symbol.asyncIterator]();
    const names = await lines.next();
    const types = await lines.next();
    if (names.done || types.done) return undefined;
    const readers = readList(types.value).map((type) =>
      type === 'TIMESTAMP' || type === 'DATE'
        ? (value: unknown) => inZone(String(value), zone)
        : (value: unknown) => value,
    );
    const columns = readList(names.value);
    return (async function* () {
      // An empty line ends the result.
      for (let line = await lines.next(); !line.done && line.value !== ''; line = await lines.next())
        // `as`: each line is a list of cells.
        yield rowsOf(columns, readers, [parseExactJson(line.value) as unknown[]]);
    })();
  }

  override async cancel(): Promise<void> {
    const { url, headers } = this.#settings;
    const signal = AbortSignal.timeout(cancelWithinMs);
    await readText(
      await this.context.fetch({ url: `${url}/${this.#queryId}`, method: 'DELETE', headers, signal }),
    );
  }
}

const readList = (text: string): string[] => JSON.parse(text);

function errorText(text: string): string {
  try {
    const { errorMessage, error } = JSON.parse(text);
    return String(errorMessage ?? error);
  } catch {
    return text.trim();
  }
}

function typeOf(value: unknown): string {
  if (Number.isSafeInteger(value)) return 'BIGINT';
  if (typeof value === 'number') return 'DOUBLE';
  return typeof value === 'boolean' ? 'BOOLEAN' : 'VARCHAR';
}

const druid: Database = {
  name: 'druid',
  title: 'Druid',
  schemes: ['jdbc:avatica:'],
  exampleUrl: 'jdbc:avatica:remote:url=http://localhost:8888/druid/v2/sql/avatica/',
  syntax: {},
  placeholder: () => '?',
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  isPooled: false,
  notice: 'Statements go to the SQL API of Druid over HTTP; there are no transactions.',
  open: async (context, input) => new DruidSession(context, readSettings(input)),
};

export const druidTypes = defineDatabase(druid);
