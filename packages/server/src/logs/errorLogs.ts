import { setTimeout as wait } from 'node:timers/promises';
import type { ProductActions } from '@millrace/plugin-kit';

/** The maximum number of lines in a message about a failure; more are not useful. */
const mostLines = 1_000;
const longestWaitMs = 5_000;
const firstPauseMs = 100;
const longestPauseMs = 1_000;

/**
 * The ERROR lines of an execution, oldest first. The task that failed may have run on another machine, so for a few seconds
 * the first line is waited for.
 */
export async function readErrorLogs(
  executionId: string,
  actions: Pick<ProductActions, 'fetchLogs'>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>[]> {
  let pauseMs = firstPauseMs;
  for (let waitedMs = 0; ; waitedMs += pauseMs, pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const lines: Readonly<Record<string, unknown>>[] = [];
    for await (const line of actions.fetchLogs({ executionId, minLevel: 'ERROR' })) {
      lines.push(line);
      if (lines.length === mostLines) break;
    }
    if (lines.length > 0 || waitedMs >= longestWaitMs) return lines;
    await wait(pauseMs, undefined, { signal });
  }
}
