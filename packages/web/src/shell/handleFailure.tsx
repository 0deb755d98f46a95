import type { ApiError } from '../api/ApiError.ts';
import { setCoreError } from './coreError.ts';
import { showError } from './toasts.ts';

/**
 * What the user sees of a failed call. No answer at all stays silent here, because the page that asked shows its own
 * retry; 400 belongs to the form that sent it; 401 has led to the login page already.
 */
export function handleFailure(failure: ApiError): void {
  const { status, body } = failure;
  if (status === 0 || status === 400 || status === 401) return;
  if (status === 404) setCoreError(404);
  else if (status === 403 && body === undefined) setCoreError(403);
  else showError(failure);
}
