import type { SlowQuery } from '../port/health.ts';

/** Faster statements are not recorded, so that the usual read costs two clock reads and nothing else. */
const thresholdMs = 10;
/** Different statements that are kept; the one with the smallest maximum leaves first. */
const capacity = 100;
const maxLength = 4_000;

/**
 * The slowest statements since the start, by text. The texts hold placeholders and never values. Times
 * include the wait for a connection or thread.
 */
export class SlowQueries {
  readonly #known = new Map<string, { -readonly [K in keyof SlowQuery]: SlowQuery[K] }>();

  /** Records a statement that started at this `performance.now()`. */
  ended(statement: string, startedAt: number): void {
    const ms = performance.now() - startedAt;
    if (ms >= thresholdMs) this.#note(statement.slice(0, maxLength), ms);
  }

  list(): readonly SlowQuery[] {
    return [...this.#known.values()].sort((a, b) => b.maxMs - a.maxMs).map((query) => ({ ...query }));
  }

  #note(statement: string, ms: number): void {
    const known = this.#known.get(statement);
    const lastAt = Date.now();
    if (known) {
      known.count++;
      known.totalMs += ms;
      known.maxMs = Math.max(known.maxMs, ms);
      known.lastAt = lastAt;
      return;
    }
    if (this.#known.size >= capacity) {
      const fastest = [...this.#known.values()].reduce((a, b) => (b.maxMs < a.maxMs ? b : a));
      if (fastest.maxMs >= ms) return;
      this.#known.delete(fastest.statement);
    }
    this.#known.set(statement, { statement, count: 1, totalMs: ms, maxMs: ms, lastAt });
  }
}
