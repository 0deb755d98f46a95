import type { Execution } from '@millrace/contract';

/** A change that is on disk. `isOver` marks the last one. */
export interface ExecutionChange {
  readonly execution: Execution;
  readonly isOver: boolean;
}

type Listener = (change: ExecutionChange) => void;

/** Who wants to hear of which execution. Views are only made for executions that someone watches. */
export class Watchers {
  readonly #listeners = new Map<string, Set<Listener>>();

  isWatched(executionId: string): boolean {
    return this.#listeners.has(executionId);
  }

  /** Answers a function that stops watching. */
  watch(executionId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(executionId) ?? new Set();
    this.#listeners.set(executionId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(executionId);
    };
  }

  publish(executionId: string, change: ExecutionChange): void {
    for (const listener of [...(this.#listeners.get(executionId) ?? [])]) listener(change);
  }
}
