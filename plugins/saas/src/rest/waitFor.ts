import { setTimeout as delay } from 'node:timers/promises';
import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';

export interface Wait<T> {
  /** The awaited event, for messages. */
  readonly what: string;
  readonly everyMs: number;
  readonly atMostMs: number;
  /** Returns the result; undefined to poll again. */
  poll(): Promise<T | undefined>;
}

/** Polls a job of a service until it ends, times out or the task is killed. */
export async function waitFor<T>({ signal }: Pick<TaskContext, 'signal'>, wait: Wait<T>): Promise<T> {
  const until = Date.now() + wait.atMostMs;
  for (;;) {
    const found = await wait.poll();
    if (found !== undefined) return found;
    if (Date.now() + wait.everyMs > until)
      throw new TaskFailed(`${wait.what} did not end within ${wait.atMostMs / 1000} s.`);
    await delay(wait.everyMs, undefined, { signal });
  }
}
