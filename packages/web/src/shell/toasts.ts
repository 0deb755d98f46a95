import { useSyncExternalStore } from 'react';

/** The notification library loads with the first toast: most visits never see one. */
const load = () => import('./toaster.tsx');

let isWanted = false;
const listeners = new Set<() => void>();

async function toaster() {
  if (!isWanted) {
    isWanted = true;
    for (const listener of listeners) listener();
  }
  return await load();
}

export const showSuccess = (message: string): void => void toaster().then((one) => one.success(message));

export const showWarning = (message: string, title?: string): void =>
  void toaster().then((one) => one.warning(message, title));

/** Stays until it is closed or the route changes. */
export const showError = (error: Error): void => void toaster().then((one) => one.error(error));

export function closeErrors(): void {
  if (isWanted) void load().then((one) => one.closeErrors());
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** True from the first toast on. */
export const useToasterWanted = (): boolean => useSyncExternalStore(subscribe, () => isWanted);
