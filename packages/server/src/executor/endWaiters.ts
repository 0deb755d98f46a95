/** Callbacks for the end of executions. */
export class EndWaiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Executions that something waits for. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Returns a function that stops waiting. */
  add(executionId: string, resolve: () => void): () => void {
    const waiting = this.#waiting.get(executionId) ?? new Set();
    this.#waiting.set(executionId, waiting.add(resolve));
    return () => {
      waiting.delete(resolve);
      // A restarted execution can have other callbacks by now.
      if (waiting.size === 0 && this.#waiting.get(executionId) === waiting) this.#waiting.delete(executionId);
    };
  }

  ended(executionId: string): void {
    for (const resolve of this.#waiting.get(executionId) ?? []) resolve();
    this.#waiting.delete(executionId);
  }
}
