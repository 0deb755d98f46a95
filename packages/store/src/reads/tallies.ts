import type { Tally } from './queries.ts';

interface Remembered {
  readonly count: () => Promise<number>;
  counting?: Promise<number> | undefined;
  total?: number;
  at: number;
}

const freshForMs = 10_000;
const goodForMs = 300_000;
const capacity = 200;
/** Pages do not wait for their counts to the end, so nothing else would keep these from piling up. */
const atOnce = 2;
const maxWaiting = 20;

/**
 * Counting very many rows takes longer than anybody likes to wait for a page. So only the first to ask waits: for some
 * minutes the others get the number known last, and once it is some seconds old it is counted again behind them.
 */
export function rememberTallies(
  tally: (...asked: Parameters<Tally>) => Promise<number>,
  clock: () => number = () => performance.now(),
): Tally {
  const known = new Map<string, Remembered>();
  const turns = new Turns();

  const count = (entry: Remembered): Promise<number> | undefined => {
    if (entry.counting === undefined && turns.waiting >= maxWaiting) return undefined;
    entry.counting ??= turns
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

  return async (text, params, way) => {
    const key = JSON.stringify([text, params]);
    const entry = known.get(key) ?? { count: () => tally(text, params, way), at: clock() };
    // The one that nobody has asked for longest comes first.
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > capacity && oldest !== undefined) known.delete(oldest);

    const age = clock() - entry.at;
    if (entry.total === undefined || age > goodForMs) return count(entry);
    // When this fails the number serves until it is too old; then whoever asks hears of the failure.
    if (age > freshForMs) count(entry)?.catch(() => {});
    return entry.total;
  };
}

/** Runs a few at a time, in the order they came. */
class Turns {
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
      // The place goes to the next one; only without any it is free.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
