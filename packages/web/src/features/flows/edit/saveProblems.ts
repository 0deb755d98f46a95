import type { Issue } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { ApiError } from '../../../api/ApiError.ts';
import { showError, showTitledError, showWarning } from '../../../shell/toasts.ts';

/** Says what stops a source from being saved. False when nothing that is known here does. */
export function refusesSource(issues: readonly Issue[], t: TFunction): boolean {
  const error = issues.find((issue) => issue.severity === 'error');
  if (!error) return false;
  // Only what is no YAML at all has a place in the text and none in the flow.
  const isSyntax = error.path === '' && error.range !== undefined;
  showWarning(error.message, t(isSyntax ? 'flow.invalidYaml' : 'flow.invalid'));
  return true;
}

/** Shows why the server did not save a source: its own words, when it was about the source. */
export function showSaveFailure(error: Error, t: TFunction): void {
  const isAboutSource = error instanceof ApiError && (error.status === 400 || error.status === 422);
  if (isAboutSource) showTitledError(error, t('flow.invalidSource'));
  else showError(error);
}

/** Whether the server refused a new flow because there is one of its id. */
export const isTaken = (error: Error): boolean =>
  error instanceof ApiError && error.status === 422 && error.message.includes('already exists');

/** Whether the server refused a text because the flow has a newer revision than the text is based on. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;
