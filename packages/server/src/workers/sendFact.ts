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

interface About {
  readonly executionId: string;
  readonly taskRunId: string;
  readonly owner: string;
}

/** The outcome of work must arrive, however long the database is away. Its log lines go with it. */
export async function sendFact(
  about: About,
  event: Event,
  alongside: readonly Op[],
  parts: SendFactParts,
): Promise<void> {
  const message = putMessage(about.executionId, about.owner, { kind: 'fact', event });
  await sendMessage(about, message, alongside, parts);
}

/** False when this process ends before it is stored. */
export async function sendMessage(
  { executionId, taskRunId }: About,
  message: Op,
  alongside: readonly Op[],
  { store, logs, log, isStopped }: SendFactParts,
): Promise<boolean> {
  const lines = await logs.take(executionId, taskRunId);
  for (let tries = 0; ; tries++) {
    try {
      await store.commit([...alongside, message, ...lines]);
      return true;
    } catch (error) {
      // The unit was refused, and its log lines with it; or an earlier try was stored although its answer was lost.
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
