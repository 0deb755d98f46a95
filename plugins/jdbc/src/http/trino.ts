import { setTimeout as delay } from 'node:timers/promises';
import type { TaskContext } from '@millrace/plugin-kit';
import { inZone, localDateTime, localTime, withZone } from '../base/dateTexts.js';
import { defineDatabase } from '../base/defineDatabase.ts';
import { exactNumber, parseExactJson } from '../base/exactNumber.js';
import { afterScheme, parseNetworkUrl } from '../base/jdbcUrl.ts';
import type { ConnectionInput, Database, Row, Statement } from '../base/session.ts';
import { checkZone, serverZone } from '../base/timeZone.ts';
import { basicAuth, cancelWithinMs, HttpSession, readText, rowsOf, sqlLiteral } from './httpSession.ts';

interface TrinoSettings {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly zone: string;
}

/** One page of a result. */
interface Page {
  readonly nextUri?: string;
  readonly updateType?: string;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly message: string; readonly errorName?: string };
}

function readSettings(input: ConnectionInput): TrinoSettings {
  const { hosts, path, options } = parseNetworkUrl(afterScheme(input.url, ['jdbc:trino:'], 'Trino'), 0);
  const [{ host, port }] = hosts;
  const isSecure = options.get('ssl') === 'true' || port === 443;
  const [catalog, schema] = path.split('/');
  const user = input.username ?? options.get('user') ?? 'millrace';
  const password = input.password ?? options.get('password');
  const token = options.get('accesstoken');
  const zone = input.timeZoneId === undefined ? serverZone() : checkZone(input.timeZoneId);
  return {
    base: `${isSecure ? 'https' : 'http'}://${host}:${port || (isSecure ? 443 : 8080)}`,
    headers: {
      'x-trino-user': options.get('sessionuser') ?? user,
      'x-trino-source': options.get('source') ?? 'millrace',
      'x-trino-time-zone': zone,
      ...(catalog && { 'x-trino-catalog': catalog }),
      ...(schema && { 'x-trino-schema': schema }),
      ...(token === undefined ? password && basicAuth(user, password) : { authorization: `Bearer ${token}` }),
    },
    zone,
  };
}

class TrinoSession extends HttpSession {
  readonly #settings: TrinoSettings;
  #nextUri: string | undefined;

  constructor(context: TaskContext, settings: TrinoSettings) {
    super(context);
    this.#settings = settings;
  }

  override async run({ sql, values }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const bound = `EXECUTE IMMEDIATE ${sqlLiteral(sql)} USING ${values.map(sqlLiteral).join(', ')}`;
    let page = await this.#send(`${this.#settings.base}/v1/statement`, values.length === 0 ? sql : bound);
    while (page.columns === undefined && page.nextUri !== undefined) page = await this.#send(page.nextUri);
    if (page.columns === undefined || page.updateType !== undefined) {
      while (page.nextUri !== undefined) page = await this.#send(page.nextUri);
      return undefined;
    }
    return this.#pages(page, page.columns);
  }

  async *#pages(first: Page, columns: NonNullable<Page['columns']>): AsyncGenerator<readonly Row[]> {
    const names = columns.map(({ name }) => name);
    const readers = columns.map(({ type }) => readerOf(type, this.#settings.zone));
    for (let page = first; ; page = await this.#send(page.nextUri)) {
      if (page.data) yield rowsOf(names, readers, page.data);
      if (page.nextUri === undefined) return;
    }
  }

  override async cancel(): Promise<void> {
    if (this.#nextUri === undefined) return;
    const signal = AbortSignal.timeout(cancelWithinMs);
    const { headers } = this.#settings;
    await readText(await this.context.fetch({ url: this.#nextUri, method: 'DELETE', headers, signal }));
  }

  async #send(url: string, body?: string): Promise<Page> {
    for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
      const { headers } = this.#settings;
      const method = body === undefined ? 'GET' : 'POST';
      const response = await this.context.fetch({
        url,
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      const text = await readText(response);
      // Trino responds with these statuses when it is busy, so the request is retried.
      if ([429, 502, 503, 504].includes(response.status)) {
        await delay(waitMs, undefined, { signal: this.context.signal });
        continue;
      }
      if (response.status !== 200) throw new Error(text.trim() || `HTTP status ${response.status}`);
      // `as`: the protocol documents the page.
      const page = parseExactJson(text) as Page;
      if (page.error) throw new Error(`${page.error.message} (${page.error.errorName ?? 'error'})`);
      this.#nextUri = page.nextUri;
      return page;
    }
  }
}

/** How values of a column are read. */
export function readerOf(type: string, zone: string): (value: unknown) => unknown {
  const item = /^array\((.*)\)$/s.exec(type)?.[1];
  if (item !== undefined) {
    const read = readerOf(item, zone);
    return (value) =>
      Array.isArray(value) ? value.map((each) => (each === null ? null : read(each))) : value;
  }
  const kind = type.replace(/\(.*?\)/, '');
  switch (kind) {
    case 'decimal':
      return (value) => exactNumber(String(value));
    case 'json':
      return (value) => (typeof value === 'string' ? parseExactJson(value) : value);
    case 'time':
      return (value) => localTime(String(value));
    case 'timestamp':
      return (value) => localDateTime(String(value));
    case 'timestamp with time zone':
      return (value) => zonedTimestamp(String(value), zone);
    case 'interval year to month':
      return (value) => String(value).replace(/^(-?)(\d+)-(\d+)$/, 'P$1$2Y$1$3M');
    case 'interval day to second':
      return (value) =>
        String(value).replace(
          /^(-?)(\d+) (\d+):(\d+):([\d.]+)$/,
          (_, sign, day, hour, minute, second) =>
            `P${sign}${day}DT${sign}${Number(hour)}H${sign}${Number(minute)}M${sign}${Number(second)}S`,
        );
    default:
      return (value) => value;
  }
}

/** `2026-01-31 10:00:00.000 Europe/Paris` on the clock of another zone. */
function zonedTimestamp(text: string, zone: string): string {
  const [, local = text, name = 'UTC'] = /^(\S+ \S+) (\S+)$/.exec(text) ?? [];
  return inZone(/^[+-]/.test(name) ? `${local}${name}` : withZone(local, name), zone);
}

const trino: Database = {
  name: 'trino',
  title: 'Trino',
  schemes: ['jdbc:trino:'],
  exampleUrl: 'jdbc:trino://localhost:8080/tpch/sf1',
  syntax: {},
  placeholder: () => '?',
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  isPooled: false,
  notice: 'Statements are not part of a transaction.',
  open: async (context, input) => new TrinoSession(context, readSettings(input)),
};

export const trinoTypes = defineDatabase(trino, { queries: false });
