/** The memory of an execution without its task runs, counted in task runs. */
const ownWeight = 5;

/**
 * Keeps executions in memory that wait for a worker, a user, a date or a child. Loading one again takes three reads,
 * which costs more than a step, so a cache smaller than the number of busy workers would make the server fall behind.
 */
export class IdleCache<T> {
  /** The weight of each entry, the longest idle one first. */
  readonly #weights = new Map<T, number>();
  readonly #maxWeight: number;
  #total = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  /** Adds an entry and returns the ones to evict, never the new one. */
  add(entry: T, taskRuns: number): readonly T[] {
    this.delete(entry);
    const evicted: T[] = [];
    this.#total += ownWeight + taskRuns;
    for (const oldest of this.#weights.keys()) {
      if (this.#total <= this.#maxWeight) break;
      this.delete(oldest);
      evicted.push(oldest);
    }
    this.#weights.set(entry, ownWeight + taskRuns);
    return evicted;
  }

  delete(entry: T): void {
    this.#total -= this.#weights.get(entry) ?? 0;
    this.#weights.delete(entry);
  }
}
