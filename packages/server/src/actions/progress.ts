import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Called between batches with the number of finished items and a function that lists the remaining ids;
 * throws when the work has to stop.
 */
export type ReportProgress = (done: number, total: number, remaining?: () => readonly string[]) => void;

/** The caller of a long action may be a route that takes no notice of progress, so the listener is not an argument. */
const listener = new AsyncLocalStorage<ReportProgress>();

export const withProgress = <T>(report: ReportProgress, work: () => Promise<T>): Promise<T> =>
  listener.run(report, work);

/** Long actions call it between batches. */
export const reportProgress: ReportProgress = (done, total, remaining) =>
  listener.getStore()?.(done, total, remaining);

/** Does it to each item in order and returns how many it was done to. */
export async function forEachWithProgress<T>(
  items: readonly T[],
  act: (item: T) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (const [index, item] of items.entries()) {
    reportProgress(index, items.length);
    if (await act(item)) count += 1;
  }
  reportProgress(items.length, items.length);
  return count;
}
