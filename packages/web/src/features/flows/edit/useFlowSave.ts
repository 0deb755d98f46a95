import type { Issue } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/ApiError.ts';
import { showError, showTitledError, showWarning } from '../../../shell/toasts.ts';
import { type FlowQueryData, flowQuery, type Saving, useSaveFlow } from '../queries.ts';

/** `waiting`: no response came. The same save is sent again at `retryAt`, or right now when that is undefined. */
export type SaveStatus =
  | { readonly is: 'idle' }
  | { readonly is: 'saving' }
  | { readonly is: 'waiting'; readonly tries: number; readonly retryAt: number | undefined };

const firstDelayMs = 2_000;
const maxDelayMs = 30_000;

/** No response, or one of a proxy whose server is away: the save may have been committed or not. */
const isUnreachable = (error: unknown): error is ApiError =>
  error instanceof ApiError && [0, 502, 503, 504].includes(error.status);

/**
 * Saves a flow and repeats the same save until the server responds. The save names the revision that its text is based
 * on, so a repetition never makes a second revision.
 */
export function useFlowSave() {
  const { mutateAsync } = useSaveFlow();
  const client = useQueryClient();
  const [status, setStatus] = useState<SaveStatus>({ is: 'idle' });
  const running = useRef<{ readonly stop: AbortController; wake: () => void }>(undefined);
  useEffect(() => () => running.current?.stop.abort(), []);

  /** Resolves to undefined when the user stops it. */
  const save = async (saving: Saving, onWait?: () => void): Promise<FlowQueryData | undefined> => {
    const run = { stop: new AbortController(), wake: () => {} };
    running.current = run;
    const { signal } = run.stop;
    setStatus({ is: 'saving' });
    try {
      for (let tries = 1; ; tries++) {
        try {
          // A first save of a new flow never takes an existing flow with the same text for its own.
          const baseRevision = saving.key || tries > 1 ? (saving.baseRevision ?? 0) : undefined;
          const saved = await mutateAsync({ ...saving, baseRevision });
          // A repeated save returns the revision of the first one; another one may have followed.
          if (tries > 1) void client.invalidateQueries({ queryKey: flowQuery(saved).queryKey, exact: true });
          return signal.aborted ? undefined : saved;
        } catch (error) {
          if (signal.aborted) return undefined;
          if (!isUnreachable(error)) throw error;
        }
        const delayMs = Math.min(firstDelayMs * 2 ** (tries - 1), maxDelayMs);
        setStatus({ is: 'waiting', tries, retryAt: Date.now() + delayMs });
        onWait?.();
        await pause(delayMs, signal, (wake) => {
          run.wake = wake;
        });
        if (signal.aborted) return undefined;
        setStatus({ is: 'waiting', tries: tries + 1, retryAt: undefined });
      }
    } finally {
      if (running.current === run) {
        running.current = undefined;
        setStatus({ is: 'idle' });
      }
    }
  };
  return {
    status,
    save,
    tryNow: () => running.current?.wake(),
    stop: () => running.current?.stop.abort(),
  };
}

/** Ends early when the browser is online again, when it is woken, and when it is stopped. */
function pause(delayMs: number, signal: AbortSignal, onWake: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
    onWake(end);
  });
}

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
