import type { CachedCount } from './queries.ts';

interface Remembered {
  readonly count: () => Promise<number>;
  counting?: Promise<number> | undefined;
  total?: number;
  at: number;
}

const freshForMs = 10_000;
const goodForMs = 300_000;
const capacity = 200;
/**
 * Limits on concurrent and queued counts. Pages do not wait for their counts, so nothing else applies back
 * pressure.
 */
const atOnce = 2;
const maxWaiting = 20;

/**
 * Caches counts over very many rows, which take longer than a page may take. Only the first caller waits: for
 * some minutes later callers get the cached number, and once it is some seconds old it is refreshed in the
 * background.
 */
export function cacheCounts(
  cachedCount: (...asked: Parameters<CachedCount>) => Promise<number>,
  clock: () => number = () => performance.now(),
): CachedCount {
  const known = new Map<string, Remembered>();
  const queue = new CountQueue();

  const count = (entry: Remembered): Promise<number> | undefined => {
    if (entry.counting === undefined && queue.waiting >= maxWaiting) return undefined;
    entry.counting ??= queue
      .take(entry.count)
      .then((total) => {
        entry.total = total;
        entry.at = clock();
        return total;
      })
      .finally(() => {
        entry.counting = undefined;
      });
    return entry.counting;
  };

  return async (statement) => {
    const key = JSON.stringify(statement);
    const entry = known.get(key) ?? { count: () => cachedCount(statement), at: clock() };
    // Reinserting keeps the map in LRU order: the least recently used entry is first.
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > capacity && oldest !== undefined) known.delete(oldest);

    const age = clock() - entry.at;
    if (entry.total === undefined || age > goodForMs) return count(entry);
    // If the refresh fails, the cached number is used until it expires; then the next caller gets the error.
    if (age > freshForMs) count(entry)?.catch(() => {});
    return entry.total;
  };
}

/** Runs a few at a time, first in, first out. */
class CountQueue {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  get waiting(): number {
    return this.#waiting.length;
  }

  async take<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running < atOnce) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await run();
    } finally {
      // Passes the slot to the next waiting caller; without one the slot is free.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
