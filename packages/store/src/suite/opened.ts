import type { Store } from '../port/store.ts';

/** A fresh, empty store for a test. `close` also removes its data; `reopen` closes it and opens the same data again. */
export interface OpenedStore {
  readonly store: Store;
  close(): Promise<void>;
  /** Updates what the planner knows about the rows, which a database does by itself within a minute. */
  analyze?(): Promise<unknown>;
  reopen(): Promise<Store>;
}

/** The store that a group of tests shares; a function because the store is opened when the tests run. */
export type Subject = () => Store;
