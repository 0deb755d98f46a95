import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '@millrace/engine';
import { Conflict, type Op, type Store } from '@millrace/store';
import { putMessage } from '../cluster/sharing.ts';
import type { LogBuffer } from '../loops/logBuffer.ts';
import type { ProcessLog } from '../processLog.ts';

export const tryAgainMs = [100, 500, 2_000, 5_000];

export interface SendFactParts {
  readonly store: Store;
  readonly logs: LogBuffer;
  readonly log: ProcessLog;
  readonly isStopped: () => boolean;
}

/** The outcome of work must arrive, however long the database is away. What was logged goes with it. */
export async function sendFact(
  { executionId, taskRunId, owner }: { executionId: string; taskRunId: string; owner: string },
  event: Event,
  alongside: readonly Op[],
  { store, logs, log, isStopped }: SendFactParts,
): Promise<void> {
  const message = putMessage(executionId, owner, { kind: 'fact', event });
  const lines = logs.take(executionId);
  for (let tries = 0; ; tries++) {
    try {
      await store.commit([...alongside, message, ...lines]);
      return;
    } catch (error) {
      // What goes beside it was refused; or the first try was stored although nobody said so, and refuses its twin.
      if (error instanceof Conflict) return;
      log.error('The end of a task could not be stored.', { taskRunId, error });
      if (isStopped()) return;
      await delay(tryAgainMs[Math.min(tries, tryAgainMs.length - 1)]);
    }
  }
}
