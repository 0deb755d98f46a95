import type { ExecutionRecord, TaskRunRecord } from '@millrace/contract';

/** An execution with its task runs as one commit left them; every commit raises the version. */
export interface Snapshot {
  readonly execution: ExecutionRecord;
  readonly taskRuns: readonly TaskRunRecord[];
  readonly version: number;
  /** Task runs that were taken out of the execution: by this commit, or since its creation. */
  readonly removed?: readonly RemovedRun[];
}

export interface RemovedRun {
  readonly taskRun: TaskRunRecord;
  readonly removedAt: number;
}

type Listener = (snapshot: Snapshot) => void;

/** Subscriptions to executions of this process. Snapshots are taken only of executions that have a subscriber. */
export class Watchers {
  readonly #listeners = new Map<string, Set<Listener>>();

  isWatched(executionId: string): boolean {
    return this.#listeners.has(executionId);
  }

  /** Returns a function that unsubscribes. */
  watch(executionId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(executionId) ?? new Set();
    this.#listeners.set(executionId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(executionId);
    };
  }

  publish(snapshot: Snapshot): void {
    for (const listener of [...(this.#listeners.get(snapshot.execution.id) ?? [])]) listener(snapshot);
  }
}
