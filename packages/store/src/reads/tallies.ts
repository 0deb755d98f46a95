import type { SqlValue } from '../rows/value.ts';

/** Counts what a statement selects as `total`. */
export type Tally = (text: string, params: readonly SqlValue[]) => Promise<number>;

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
 * Counting very many rows takes longer than anybody likes to wait for a page. So only the first to ask waits: for some
 * minutes the others get the number known last, and once it is some seconds old it is counted again behind them.
 */
export function rememberTallies(tally: Tally, clock: () => number = () => performance.now()): Tally {
  const known = new Map<string, Remembered>();

  const count = (entry: Remembered): Promise<number> => {
    entry.counting ??= entry
      .count()
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

  return async (text, params) => {
    const key = JSON.stringify([text, params]);
    const entry = known.get(key) ?? { count: () => tally(text, params), at: clock() };
    // The one that nobody has asked for longest comes first.
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > capacity && oldest !== undefined) known.delete(oldest);

    const age = clock() - entry.at;
    if (entry.total === undefined || age > goodForMs) return count(entry);
    // When this fails the number serves until it is too old; then whoever asks hears of the failure.
    if (age > freshForMs) count(entry).catch(() => {});
    return entry.total;
  };
}
