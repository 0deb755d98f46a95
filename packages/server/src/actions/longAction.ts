import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError, type ErrorCode } from '@millrace/contract';

/*
 * An action on many items. A route runs it within its call; as a job it also survives its server: the job
 * stores the items and how far it is, and another process resumes it there. Items after the recorded progress
 * may be done already, so each item has a key that is stored together with its change.
 */

/** The job that runs an action. */
export interface ActionJob {
  readonly id: string;
  /** What an earlier process has left; undefined for a new action. */
  readonly left:
    | { readonly items: readonly unknown[]; readonly done: number; readonly count: number }
    | undefined;
  /** Stores the chosen items. Nothing may be changed before it resolves. */
  begin(items: readonly unknown[]): Promise<void>;
  /** Called between batches; rejects when the action has to stop. */
  reach(done: number, count: number): Promise<void>;
}

export interface ItemAction<T> {
  /** The items as JSON values. A resumed action takes those that were chosen first. */
  readonly choose: () => Promise<readonly T[]>;
  /** Returns whether the item was changed; false for an item that the change is not possible for. */
  readonly act: (item: T) => Promise<boolean>;
  /** Whether an interrupted job has changed the item already. */
  readonly wasDone: (item: T, key: string) => Promise<boolean>;
  /** The part of the key that names the item; only where the key is stored with the change. */
  readonly nameOf?: (item: T) => string;
  /** Items that are changed concurrently. */
  readonly atOnce?: number;
}

const running = new AsyncLocalStorage<ActionJob>();
const working = new AsyncLocalStorage<string>();

export const runInJob = <T>(job: ActionJob, work: () => Promise<T>): Promise<T> => running.run(job, work);

/** The key of the item that is being changed; undefined outside of a job. */
export const itemKey = (): string | undefined => working.getStore();

/** The server cannot do it now. A job waits and tries again instead of leaving the item out. */
const temporary: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'maintenance',
  'locked',
  'too-many-requests',
]);

export const isTemporary = (error: unknown): boolean =>
  error instanceof AppError && temporary.has(error.code);

/** Changes each item and returns how many were changed. */
export async function actOnItems<T>({
  choose,
  act,
  wasDone,
  nameOf = () => '',
  atOnce = 1,
}: ItemAction<T>): Promise<number> {
  const job = running.getStore();
  // `as`: the same action has chosen and stored them.
  const items = (job?.left?.items as readonly T[] | undefined) ?? (await choose());
  if (!job?.left) await job?.begin(items);
  let { done, count } = job?.left ?? { done: 0, count: 0 };
  const actOnOne = async (item: T): Promise<boolean> => {
    if (!job) return act(item);
    const key = `job/${job.id}/${nameOf(item)}`;
    if (job.left && (await wasDone(item, key))) return true;
    return working.run(key, () => act(item));
  };
  while (done < items.length) {
    await job?.reach(done, count);
    const batch = items.slice(done, done + atOnce);
    const changed = await Promise.all(batch.map(actOnOne));
    done += batch.length;
    count += changed.filter(Boolean).length;
  }
  await job?.reach(done, count);
  return count;
}

/** An action that is not possible for every item: an item that refuses it is left out. */
export async function changedOne(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    const isRefused = error instanceof AppError && error.code !== 'unavailable';
    if (isRefused && !(running.getStore() && isTemporary(error))) return false;
    throw error;
  }
}
