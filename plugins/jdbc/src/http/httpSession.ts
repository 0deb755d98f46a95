import { type OutboundResponse, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { Batch, Row, Session, Statement } from '../base/session.ts';

/** A database that is queried over HTTP: it has no transactions and no state between statements. */
export abstract class HttpSession implements Session {
  protected readonly context: TaskContext;

  constructor(context: TaskContext) {
    this.context = context;
  }

  abstract run(statement: Statement): Promise<AsyncIterable<readonly Row[]> | undefined>;

  runBatch(_: Batch): Promise<number> {
    return Promise.reject(new TaskFailed('This database cannot write batches.', { retry: false }));
  }

  columnsOf(_: string): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async begin(): Promise<void> {}
  async commit(): Promise<void> {}
  async rollback(): Promise<void> {}
  async cancel(): Promise<void> {}
  async reset(): Promise<void> {}
  async close(): Promise<void> {}
  setIdle(): void {}
}

/** The signal of a killed task is aborted, so requests that cancel a statement or end a session have their own limit. */
export const cancelWithinMs = 5_000;

/** The whole body, for responses that are known to be small. */
export async function readText({ body }: OutboundResponse, maxBytes = 64 * 1_048_576): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`The response is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export const basicAuth = (user: string | undefined, password: string | undefined): Record<string, string> =>
  user === undefined || user === ''
    ? {}
    : { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };

/** A value as a SQL literal, for databases that accept no parameters over HTTP. */
export function sqlLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (Array.isArray(value)) return `ARRAY[${value.map(sqlLiteral).join(', ')}]`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** Rows from lists of cells. */
export function rowsOf(
  names: readonly string[],
  readers: readonly ((value: unknown) => unknown)[],
  lists: readonly (readonly unknown[])[],
): Row[] {
  return lists.map((cells) =>
    Object.fromEntries(
      names.map((name, index) => {
        const value = cells[index] ?? null;
        return [name, value === null ? null : (readers[index]?.(value) ?? null)];
      }),
    ),
  );
}
