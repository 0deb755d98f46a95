import { useSyncExternalStore } from 'react';

export type CoreError = 401 | 403 | 404;

/** The error that replaces the page until the next navigation. It is raised far from React, by failed calls. */
let current: CoreError | undefined;
const listeners = new Set<() => void>();

export function setCoreError(code: CoreError | undefined): void {
  if (current === code) return;
  current = code;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useCoreError = (): CoreError | undefined => useSyncExternalStore(subscribe, () => current);
