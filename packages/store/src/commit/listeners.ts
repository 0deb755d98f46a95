import type { StoreChange } from '../port/store.ts';

type Listener = (change: StoreChange) => void;

/** The `onChange` half of a store. A listener that throws is a bug of its own and must not fail a commit. */
export class Listeners {
  readonly #listeners = new Set<Listener>();

  add(listener: Listener): () => void {
    // A function of its own per call, so that adding one listener twice gives two registrations.
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
