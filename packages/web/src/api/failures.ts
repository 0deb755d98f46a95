import type { ApiError } from './ApiError.ts';

type Listener = (failure: ApiError) => void;

const listeners = new Set<Listener>();

/** The shell listens here: it decides which failures become a toast and which replace the page. */
export function onFailure(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function reportFailure(failure: ApiError): void {
  for (const listener of listeners) listener(failure);
}
