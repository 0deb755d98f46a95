import { setTimeout as delay } from 'node:timers/promises';
import type { TaskContext } from './definition.ts';
import { TaskFailed } from './failure.ts';

interface Waiting {
  readonly intervalMs: number;
  /** Forever when absent. */
  readonly maxMs?: number | undefined;
  /** The awaited event, for the timeout message. */
  readonly what: string;
}

/** Reads until there is a result. Ends with the task. */
export async function waitFor<T>(
  { signal }: Pick<TaskContext, 'signal'>,
  { intervalMs, maxMs = Number.POSITIVE_INFINITY, what }: Waiting,
  read: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + maxMs;
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    if (Date.now() + intervalMs > deadline)
      throw new TaskFailed(`${what} was not finished after ${Math.round(maxMs / 1000)} s.`);
    await delay(intervalMs, undefined, { signal });
  }
}

/** Runs work that a killed task must undo: on abort it calls `undo`, then rethrows the failure. */
export async function undoWhenKilled<T>(
  { signal }: Pick<TaskContext, 'signal'>,
  work: () => Promise<T>,
  undo: () => Promise<unknown>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) await undo().catch(() => {});
    throw error;
  }
}
