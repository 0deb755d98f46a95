import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { OutboundResponse, TaskContext } from '@millrace/plugin-kit';
import type { SqlSyntax } from '../base/lexSql.ts';
import type { Row, Statement } from '../base/session.ts';
import { splitStatements } from '../base/splitStatements.ts';
import { cancelWithinMs, HttpSession, rowsOf } from '../http/httpSession.ts';
import { readerOf, type SnowflakeColumn } from './cells.ts';
import { keyToken, type SnowflakeSettings } from './settings.ts';

export const snowflakeSyntax: SqlSyntax = { dollars: true, backslash: true };

interface Answer {
  readonly success: boolean;
  readonly code?: string | null;
  readonly message?: string | null;
  readonly data?: QueryData & { readonly token?: string };
}

interface QueryData {
  readonly getResultUrl?: string;
  readonly statementTypeId?: number;
  readonly rowtype?: readonly SnowflakeColumn[];
  readonly rowset?: readonly (readonly unknown[])[];
  readonly chunks?: readonly { readonly url: string }[];
  readonly chunkHeaders?: Readonly<Record<string, string>>;
  readonly qrmk?: string;
}

/** Codes of a statement that still runs. */
const inProgress = new Set(['333333', '333334']);

/** One login. Statements and their results are JSON over HTTPS, large results are files that are read one by one. */
export class SnowflakeSession extends HttpSession {
  readonly #settings: SnowflakeSettings;
  #token = '';
  #requestId = '';
  #sequence = 0;

  constructor(context: TaskContext, settings: SnowflakeSettings) {
    super(context);
    this.#settings = settings;
  }

  async logIn(): Promise<void> {
    const { account, user, password, privateKey, database, schema, warehouse, role, queryTag } =
      this.#settings;
    const place = { databaseName: database, schemaName: schema, warehouse, roleName: role };
    const query = new URLSearchParams({ requestId: randomUUID() });
    for (const [name, value] of Object.entries(place)) if (value !== undefined) query.set(name, value);
    const login = privateKey
      ? { AUTHENTICATOR: 'SNOWFLAKE_JWT', TOKEN: keyToken(account, user, privateKey, new Date()) }
      : { PASSWORD: password ?? '' };
    const { data } = await this.#post(`/session/v1/login-request?${query}`, {
      data: {
        // The format of results depends on the client; that of the JavaScript driver is JSON.
        CLIENT_APP_ID: 'JavaScript',
        CLIENT_APP_VERSION: '1.15.0',
        ACCOUNT_NAME: account,
        LOGIN_NAME: user,
        ...login,
        SESSION_PARAMETERS: {
          JS_QUERY_RESULT_FORMAT: 'JSON',
          ...(queryTag !== undefined && { QUERY_TAG: queryTag }),
        },
        CLIENT_ENVIRONMENT: { APPLICATION: 'Millrace', OS: process.platform },
      },
    });
    this.#token = data?.token ?? '';
  }

  override async run({ sql, values }: Statement): Promise<AsyncIterable<readonly Row[]> | undefined> {
    const statements = splitStatements(sql, snowflakeSyntax);
    let from = 0;
    const results: AsyncIterable<readonly Row[]>[] = [];
    for (const statement of statements) {
      const count = statements.length === 1 ? values.length : statement.split('?').length - 1;
      const data = await this.#execute(statement, values.slice(from, from + count));
      from += count;
      if (returnsRows(data)) results.push(this.#rows(data));
    }
    if (results.length === 0) return undefined;
    return (async function* () {
      for (const result of results) yield* result;
    })();
  }

  async #execute(sqlText: string, values: readonly unknown[]): Promise<QueryData> {
    this.#requestId = randomUUID();
    const bindings = Object.fromEntries(values.map((value, index) => [String(index + 1), toBinding(value)]));
    let answer = await this.#post(`/queries/v1/query-request?requestId=${this.#requestId}`, {
      sqlText,
      asyncExec: false,
      sequenceId: ++this.#sequence,
      ...(values.length > 0 && { bindings }),
    });
    while (inProgress.has(answer.code ?? '') && answer.data?.getResultUrl !== undefined)
      answer = await this.#send('GET', answer.data.getResultUrl);
    return answer.data ?? {};
  }

  async *#rows(data: QueryData): AsyncGenerator<readonly Row[]> {
    const columns = data.rowtype ?? [];
    const names = columns.map(({ name }) => name);
    const readers = columns.map((column) => readerOf(column, this.#settings.zone));
    yield rowsOf(names, readers, data.rowset ?? []);
    const headers = data.chunkHeaders ?? {
      'x-amz-server-side-encryption-customer-algorithm': 'AES256',
      'x-amz-server-side-encryption-customer-key': data.qrmk ?? '',
    };
    for (const { url } of data.chunks ?? []) {
      const response = await this.context.fetch({ url, headers });
      if (response.status !== 200)
        throw new Error(`A part of the result cannot be read: HTTP status ${response.status}.`);
      yield rowsOf(names, readers, JSON.parse(`[${await readChunk(response)}]`));
    }
  }

  /** Runs `PUT` or `GET`, which only return where the files of a stage are stored. */
  async transfer(sql: string): Promise<unknown> {
    return this.#execute(sql, []);
  }

  override async begin(): Promise<void> {
    await this.#execute('BEGIN', []);
  }

  override async commit(): Promise<void> {
    await this.#execute('COMMIT', []);
  }

  override async rollback(): Promise<void> {
    await this.#execute('ROLLBACK', []);
  }

  override async cancel(): Promise<void> {
    const signal = AbortSignal.timeout(cancelWithinMs);
    await this.#send(
      'POST',
      `/queries/v1/abort-request?requestId=${randomUUID()}`,
      { requestId: this.#requestId },
      signal,
    );
  }

  override async close(): Promise<void> {
    const signal = AbortSignal.timeout(cancelWithinMs);
    await this.#send('POST', `/session?delete=true&requestId=${randomUUID()}`, {}, signal).catch(() => {});
  }

  #post(path: string, body: object): Promise<Answer> {
    return this.#send('POST', path, body);
  }

  async #send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
    const response = await this.context.fetch({
      url: `${this.#settings.base}${path}`,
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(this.#token !== '' && { authorization: `Snowflake Token="${this.#token}"` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await readChunk(response);
    if (response.status !== 200) throw new Error(text.trim() || `HTTP status ${response.status}`);
    // `as`: every response has this shape.
    const answer = JSON.parse(text) as Answer;
    if (!answer.success && !inProgress.has(answer.code ?? ''))
      throw new Error(`${answer.message ?? 'The request failed.'}${answer.code ? ` (${answer.code})` : ''}`);
    return answer;
  }
}

/** DML, session settings, transactions and DDL report a status, which is no result of the user's. */
function returnsRows({ statementTypeId = 0x1000, rowtype }: QueryData): boolean {
  if (!rowtype) return false;
  const isStatus =
    (statementTypeId >= 0x3000 && statementTypeId < 0x4400) ||
    (statementTypeId >= 0x5000 && statementTypeId < 0x7000);
  return !isStatus;
}

/** Result files are compressed, even when their headers do not declare it. */
async function readChunk({ body }: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
}

function toBinding(value: unknown): { type: string; value: string | null } {
  if (value === null || value === undefined) return { type: 'TEXT', value: null };
  if (typeof value === 'boolean') return { type: 'BOOLEAN', value: String(value) };
  if (typeof value === 'number')
    return { type: Number.isInteger(value) ? 'FIXED' : 'REAL', value: String(value) };
  return { type: 'TEXT', value: typeof value === 'object' ? JSON.stringify(value) : String(value) };
}
