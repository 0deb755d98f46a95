export type StoreConfig =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface OpenOptions {
  /** Called with a message when committed data is unreadable; the store opens with the remaining data. */
  readonly onDamage?: (message: string) => void;
  /** Starts the thread for lists at once, so that it is ready when the caller has loaded the rest of its code. */
  readonly startReader?: boolean;
  /** Called when the store can never write again: the process has to restart. */
  readonly onFatal?: (error: Error) => void;
}
