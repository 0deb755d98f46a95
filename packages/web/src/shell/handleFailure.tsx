import type { ApiError } from '../api/ApiError.ts';
import { type CoreError, setCoreError } from './coreError.ts';
import { showError } from './toasts.ts';

/**
 * What the user sees of a failed call. No answer at all stays silent here, because the page that asked shows
 * its own retry; 400 belongs to the form that sent it.
 */
export function handleFailure(failure: ApiError): void {
  const { status } = failure;
  if (status === 0 || status === 400) return;
  if (isCoreError(status)) setCoreError(status);
  else showError(failure);
}

const isCoreError = (status: number): status is CoreError => [401, 403, 404].includes(status);
