import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '@millrace/engine';
import { Conflict, type Op, type Store } from '@millrace/store';
import { putMessage } from '../../cluster/ownership.ts';
import type { LogBuffer } from '../../logs/logBuffer.ts';
import type { ProcessLog } from '../../processLog.ts';

export const tryAgainMs = [100, 500, 2_000, 5_000];

export interface ReportResultParts {
  readonly store: Store;
  readonly logs: LogBuffer;
  readonly log: ProcessLog;
  readonly isStopped: () => boolean;
}

interface About {
  readonly executionId: string;
  readonly taskRunId: string;
  readonly owner: string;
}

/** Stores the result of an attempt with its log lines, and retries as long as the database is unavailable. */
export async function reportResult(
  about: About,
  event: Event,
  alongside: readonly Op[],
  parts: ReportResultParts,
): Promise<void> {
  const message = putMessage(about.executionId, about.owner, { kind: 'fact', event });
  await sendMessage(about, message, alongside, parts);
}

/** Returns false when this process ends before the message is stored. */
export async function sendMessage(
  { executionId, taskRunId }: About,
  message: Op,
  alongside: readonly Op[],
  { store, logs, log, isStopped }: ReportResultParts,
): Promise<boolean> {
  const lines = await logs.take(executionId, taskRunId);
  for (let tries = 0; ; tries++) {
    try {
      await store.commit([...alongside, message, ...lines]);
      return true;
    } catch (error) {
      // The commit was refused with its log lines, or an earlier try was stored although its response was
      // lost.
      if (error instanceof Conflict) return true;
      log.error('The end of a task could not be stored.', { taskRunId, error });
      if (isStopped()) {
        logs.putBack(executionId, lines);
        return false;
      }
      await delay(tryAgainMs[Math.min(tries, tryAgainMs.length - 1)]);
    }
  }
}
