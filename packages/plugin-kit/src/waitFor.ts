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

/** How long a client may take to end its work when its task is killed. */
const graceMs = 1_000;

/**
 * The result of a client that cannot be interrupted, for example while it logs in: a second after the task was killed
 * the task ends without it. A result that comes later is discarded.
 */
export async function unlessKilled<T>(
  { signal }: Pick<TaskContext, 'signal'>,
  work: Promise<T>,
  discard: (late: T) => unknown = () => {},
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let isKilled = false;
  let stop = () => {};
  const killed = new Promise<never>((_, reject) => {
    stop = () => {
      timer = setTimeout(() => {
        isKilled = true;
        reject(signal.reason);
      }, graceMs);
    };
  });
  work.then(
    (late) => isKilled && discard(late),
    () => {},
  );
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, killed]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
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
