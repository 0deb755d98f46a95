import type { StoreChange } from '../port/store.ts';

type Listener = (change: StoreChange) => void;

/** Implements `onChange` of a store. A listener that throws is a separate bug and must not fail a commit. */
export class Listeners {
  readonly #listeners = new Set<Listener>();

  add(listener: Listener): () => void {
    // A new function per call, so that adding a listener twice creates two registrations.
    const registration: Listener = (change) => listener(change);
    this.#listeners.add(registration);
    return () => this.#listeners.delete(registration);
  }

  tell(change: StoreChange | undefined): void {
    if (change === undefined) return;
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  }
}
