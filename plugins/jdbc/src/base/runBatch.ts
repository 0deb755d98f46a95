import { setTimeout as delay } from 'node:timers/promises';
import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { type BatchSource, InputFailed, readBatchRows } from './batchRows.ts';
import { bindPositions } from './bindParameters.ts';
import { isTransient } from './describeFailure.ts';
import { inTransaction } from './runStatements.ts';
import type { ConnectionInput, Database, Session } from './session.ts';
import { withSession } from './withSession.ts';

export interface BatchInput extends ConnectionInput, BatchSource {
  readonly sql?: string | undefined;
  readonly table?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly chunk: number;
  readonly maxRetries: number;
  readonly retryBackoff: number;
  readonly retryScope: 'NONE' | 'INPUT' | 'ALL';
  readonly resumeOnRetry: boolean;
}

interface Progress {
  /** Rows that are committed. */
  rowCount: number;
  updatedCount: number;
  batches: number;
}

/** Writes the rows of a file chunk by chunk, each in its own transaction. */
export async function runBatch(context: TaskContext, database: Database, input: BatchInput) {
  if (input.sql === undefined && input.table === undefined)
    throw new TaskFailed('Either "sql" or "table" must be given.', { retry: false });
  const progress: Progress = { rowCount: 0, updatedCount: 0, batches: 0 };
  for (let attempt = 0; ; attempt++) {
    try {
      await withSession(context, database, input, (session) =>
        write(context, database, session, input, progress),
      );
      break;
    } catch (error) {
      if (attempt >= input.maxRetries || !canRetry(error, input.retryScope)) throw error;
      await context.log('WARN', `${error instanceof Error ? error.message : error} Trying again.`);
      if (!input.resumeOnRetry) Object.assign(progress, { rowCount: 0, updatedCount: 0, batches: 0 });
      await delay(Math.min(input.retryBackoff * 2 ** attempt, input.retryBackoff * 2), undefined, {
        signal: context.signal,
      });
    }
  }
  const { rowCount, updatedCount, batches } = progress;
  for (const [name, value] of [
    ['records', rowCount],
    ['updated', updatedCount],
    ['query', batches],
  ] as const)
    context.metric({ name, type: 'counter', value });
  return { rowCount, updatedCount };
}

function canRetry(error: unknown, scope: BatchInput['retryScope']): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (scope === 'NONE') return false;
  if (cause instanceof InputFailed) return true;
  return scope === 'ALL' && isTransient(cause);
}

async function write(
  context: TaskContext,
  { syntax, placeholder, batchPlaceholder = placeholder, quoteName }: Database,
  session: Session,
  input: BatchInput,
  progress: Progress,
): Promise<void> {
  const found =
    input.sql === undefined && input.columns === undefined
      ? await session.columnsOf(input.table ?? '')
      : undefined;
  const columns = input.columns ?? found;
  const written = input.sql ?? insertInto(input.table ?? '', found?.map(quoteName) ?? columns ?? []);
  const { sql, count } = bindPositions(written, syntax, batchPlaceholder);
  let chunk: (readonly unknown[])[] = [];
  let skipped = 0;
  const alreadyWritten = progress.rowCount;
  const flush = async () => {
    if (chunk.length === 0) return;
    const rows = chunk;
    chunk = [];
    context.signal.throwIfAborted();
    const updated = await inTransaction(session, () => session.runBatch({ sql, rows }));
    progress.rowCount += rows.length;
    progress.updatedCount += updated;
    progress.batches++;
  };
  let bytes = 0;
  for await (const values of readBatchRows(context, input, columns)) {
    if (skipped++ < alreadyWritten) continue;
    chunk.push(padRow(values, count));
    bytes += sizeOf(values);
    if (chunk.length >= input.chunk || bytes > maxChunkBytes) {
      await flush();
      bytes = 0;
    }
  }
  await flush();
}

/** A chunk of large rows is written earlier, so that memory stays bounded. */
const maxChunkBytes = 16 * 1_048_576;

const sizeOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 16), 0);

/** Pads the values to the number of placeholders with NULL. */
function padRow(values: readonly unknown[], count: number): readonly unknown[] {
  if (values.length === count) return values;
  if (values.length > count)
    throw new TaskFailed(
      `A row has ${values.length} values, and the statement has ${count} placeholders. Name the fields to write in "columns".`,
      { retry: false },
    );
  return [...values, ...Array.from({ length: count - values.length }, () => null)];
}

const insertInto = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
