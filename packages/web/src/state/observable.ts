import { useSyncExternalStore } from 'react';

/** One value outside React that components follow: for what is changed from afar, as by a failed call. */
export interface Observable<T> {
  get(): T;
  set(value: T): void;
  /** Redraws the component when the value changes. */
  use(): T;
}

export function observable<T>(initial: T): Observable<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => current;
  return {
    get,
    set: (value) => {
      if (Object.is(current, value)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
