import { readJsonValues, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import type { z } from 'zod';
import { type Google, GoogleRefused, openGoogleWith, segment } from '../google/client.ts';
import type { Cloud } from '../google/define.ts';
import { isMap, type Json, mapAt, mapsAt, numberAt, textAt } from '../google/json.ts';
import { waitForOperation } from '../google/wait.ts';
import { rowReader } from './cells.ts';

export const spannerProperties = {
  projectId: text().describe('The project.'),
  instanceId: text().describe('The instance.'),
  databaseId: text().describe('The database.'),
  emulatorHost: text()
    .optional()
    .describe('The REST address of an emulator, such as `localhost:9020`; no credentials are needed then.'),
};
export type SpannerInput = z.infer<z.ZodObject<typeof spannerProperties>>;

type Row = Record<string, unknown>;
const maxTries = 5;

/** One database, with a session for the time of a task. */
export class Database {
  readonly #google: Google;
  readonly #base: string;
  readonly #instance: string;
  readonly databaseId: string;

  constructor(
    cloud: Cloud,
    context: TaskContext,
    { projectId, instanceId, databaseId, emulatorHost }: SpannerInput,
  ) {
    this.#google = emulatorHost ? openGoogleWith(context, async () => 'emulator') : cloud.google;
    this.#base = emulatorHost ? `http://${emulatorHost}/v1` : 'https://spanner.googleapis.com/v1';
    this.#instance = `projects/${segment(projectId)}/instances/${segment(instanceId)}`;
    this.databaseId = databaseId;
  }

  get #name(): string {
    return `${this.#instance}/databases/${segment(this.databaseId)}`;
  }

  async withSession<T>(work: (session: string) => Promise<T>): Promise<T> {
    const session = textAt(await this.#google.post(`${this.#base}/${this.#name}/sessions`, {}), 'name') ?? '';
    try {
      return await work(session);
    } finally {
      // A session that stays behind is deleted by Spanner after an hour.
      await this.#google
        .detached()
        .json({ url: `${this.#base}/${session}`, method: 'DELETE' })
        .catch(() => {});
    }
  }

  /** The rows of a query, read from the stream of partial results: a value may be cut in two. */
  async *query(session: string, statement: Json): AsyncGenerator<Row> {
    const response = await this.#google.send({
      url: `${this.#base}/${session}:executeStreamingSql`,
      body: statement,
      idempotent: true,
      readTimeoutMs: 600_000,
    });
    let read: ((values: readonly unknown[]) => Row) | undefined;
    let width = 0;
    let pending: unknown[] = [];
    let isCut = false;
    for await (const { value } of readJsonValues(
      response.body,
      (path) => path.length === 1 && typeof path[0] === 'number',
    )) {
      const part: Json = isMap(value) ? value : {};
      failIfError(part);
      const rowType = mapAt(mapAt(part, 'metadata'), 'rowType');
      if (isMap(part.metadata)) {
        read = rowReader(rowType);
        width = mapsAt(rowType, 'fields').length;
      }
      const values = Array.isArray(part.values) ? [...part.values] : [];
      if (isCut && values.length > 0) pending.push(merge(pending.pop(), values.shift()));
      pending.push(...values);
      isCut = part.chunkedValue === true;
      const whole = isCut ? pending.length - 1 : pending.length;
      let from = 0;
      for (; width > 0 && from + width <= whole; from += width)
        yield read?.(pending.slice(from, from + width)) ?? {};
      pending = pending.slice(from);
    }
  }

  /** Runs statements that change rows in one transaction; retries a transaction that Spanner aborts. */
  async change<T>(
    work: (run: (method: string, body: Json) => Promise<Json>, transaction: Json) => Promise<T>,
  ): Promise<T> {
    return this.withSession(async (session) => {
      const run = (method: string, body: Json) =>
        this.#google.post(`${this.#base}/${session}:${method}`, body);
      for (let tries = 1; ; tries++) {
        const { id } = await run('beginTransaction', { options: { readWrite: {} } });
        try {
          const result = await work(run, { id });
          await run('commit', { transactionId: id });
          return result;
        } catch (error) {
          await run('rollback', { transactionId: id }).catch(() => {});
          const isAborted =
            error instanceof GoogleRefused && (error.status === 409 || error.reason === 'ABORTED');
          if (!isAborted || tries >= maxTries) throw error;
        }
      }
    });
  }

  async ddl(statements: readonly string[]): Promise<void> {
    const { body } = await this.#google.json({
      url: `${this.#base}/${this.#name}/ddl`,
      method: 'PATCH',
      body: { statements },
    });
    await this.#wait(body, 'The change of the schema');
  }

  async create(extraStatements: readonly string[]): Promise<void> {
    const createStatement = `CREATE DATABASE \`${this.databaseId}\``;
    const operation = await this.#google.post(`${this.#base}/${this.#instance}/databases`, {
      createStatement,
      extraStatements,
    });
    await this.#wait(operation, 'The creation of the database');
  }

  async drop(): Promise<void> {
    await this.#google.json({ url: `${this.#base}/${this.#name}`, method: 'DELETE' });
  }

  async #wait(operation: Json, what: string): Promise<void> {
    const name = textAt(operation, 'name');
    if (name !== undefined && operation.done !== true)
      await waitForOperation(this.#google, `${this.#base}/${name}`, { what });
  }
}

/** Two halves of a value: texts are joined, and of lists the last and first items. */
function merge(first: unknown, second: unknown): unknown {
  if (typeof first === 'string' && typeof second === 'string') return first + second;
  if (!Array.isArray(first) || !Array.isArray(second)) return second;
  const [head, ...rest] = second;
  const last = first.at(-1);
  const isCut = typeof last === 'string' || Array.isArray(last);
  return isCut && second.length > 0
    ? [...first.slice(0, -1), merge(last, head), ...rest]
    : [...first, ...second];
}

function failIfError(part: Json): void {
  const error = mapAt(part, 'error');
  if (textAt(error, 'message') !== undefined)
    throw new TaskFailed(
      `Spanner: ${textAt(error, 'message')} (${textAt(error, 'status') ?? numberAt(error, 'code')})`,
      {
        retry: false,
      },
    );
}
