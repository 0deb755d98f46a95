import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/ApiError.ts';
import { type ReportedError, report } from '../reports/reports.ts';

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

/** Stays until it is closed or the route changes. Every error that is shown is reported too. */
export const showError = (error: Error): void => showTitledError(error, undefined);

/** As `showError`, with a title instead of the words before the first colon of the message. */
export function showTitledError(error: Error, title: string | undefined): void {
  void toaster().then((one) => one.error(error, title));
  report({ type: 'ERROR', error: describe(error) });
}

function describe(error: Error): ReportedError {
  if (!(error instanceof ApiError)) return { message: error.message, errors: [] };
  const { message, details, status, url, method } = error;
  return { message, errors: details, response: { status }, request: { url, method } };
}

export function closeErrors(): void {
  if (isWanted) void load().then((one) => one.closeErrors());
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** True from the first toast on. */
export const useToasterWanted = (): boolean => useSyncExternalStore(subscribe, () => isWanted);
