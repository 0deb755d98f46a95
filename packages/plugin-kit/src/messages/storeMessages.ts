import type { TaskContext } from '../definition.ts';
import { duration, integer } from '../dynamic.ts';
import { writeTypedRows } from '../files/typedRows.ts';

/** The limits that nearly every type that consumes messages has. */
export const limitProperties = () => ({
  maxRecords: integer({ min: 1 }).optional().describe('Stop after this many messages.'),
  maxDuration: duration().optional().describe('Stop after this time, even while messages still arrive.'),
});

export interface ConsumeLimits {
  readonly maxRecords?: number | undefined;
  /** Milliseconds. */
  readonly maxDuration?: number | undefined;
  /** Stop after this many milliseconds without a message. */
  readonly maxIdle?: number | undefined;
}

export interface StoreOptions<M> extends ConsumeLimits {
  /** The next message; undefined when none arrives in time. Rejects when the connection breaks. */
  readonly next: (waitMs: number) => Promise<M | undefined>;
  readonly toRow: (message: M) => unknown;
  /** Tasks store a file even when there was no message, so that expressions find one; triggers do not. */
  readonly storeEmpty: boolean;
}

/** Longer than this no client waits at once. */
const longestWaitMs = 60_000;

/**
 * Stores messages as a file of rows, until a limit is reached. Once this resolved, the file is durable: a task may
 * acknowledge the messages then, a trigger after its execution is stored as well.
 */
export async function storeMessages<M>(
  context: Pick<TaskContext, 'files' | 'signal'>,
  { next, toRow, storeEmpty, maxRecords, maxDuration, maxIdle }: StoreOptions<M>,
): Promise<{ readonly count: number; readonly uri?: string }> {
  const deadline = Date.now() + (maxDuration ?? Number.POSITIVE_INFINITY);
  let count = 0;
  const take = async (): Promise<M | undefined> => {
    if (count >= (maxRecords ?? Number.POSITIVE_INFINITY)) return undefined;
    const until = Math.min(deadline, Date.now() + (maxIdle ?? Number.POSITIVE_INFINITY));
    for (let isFirst = true; ; isFirst = false) {
      context.signal.throwIfAborted();
      const waitMs = Math.min(until - Date.now(), longestWaitMs);
      if (waitMs <= 0 && !isFirst) return undefined;
      const message = await next(Math.max(waitMs, 0));
      if (message === undefined) continue;
      count++;
      return message;
    }
  };
  const first = await take();
  if (first === undefined && !storeEmpty) return { count: 0 };
  const rows = async function* () {
    for (let message = first; message !== undefined; message = await take()) yield toRow(message);
  };
  const uri = await context.files.put('messages.ion', writeTypedRows(rows(), context.signal).content);
  return { count, uri };
}
