/** Who waits for the end of which execution. */
export class EndWaiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Executions that something waits for. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Answers how to stop waiting. */
  add(executionId: string, resolve: () => void): () => void {
    const waiting = this.#waiting.get(executionId) ?? new Set();
    this.#waiting.set(executionId, waiting.add(resolve));
    return () => {
      waiting.delete(resolve);
      // An execution that was started again after its end may have others waiting by now.
      if (waiting.size === 0 && this.#waiting.get(executionId) === waiting) this.#waiting.delete(executionId);
    };
  }

  ended(executionId: string): void {
    for (const resolve of this.#waiting.get(executionId) ?? []) resolve();
    this.#waiting.delete(executionId);
  }
}
