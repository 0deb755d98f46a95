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

/** The outcome of work must arrive, however long the database is away. What was logged goes with it. */
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
  const lines = logs.take(executionId);
  for (let tries = 0; ; tries++) {
    try {
      await store.commit([...alongside, message, ...lines]);
      return true;
    } catch (error) {
      // What goes beside it was refused; or the first try was stored although nobody said so, and refuses its twin.
      if (error instanceof Conflict) {
        await keepLines(linesOfOthers(lines, taskRunId), { store, log });
        return true;
      }
      log.error('The end of a task could not be stored.', { taskRunId, error });
      if (isStopped()) return false;
      await delay(tryAgainMs[Math.min(tries, tryAgainMs.length - 1)]);
    }
  }
}

/** What was logged for a refused outcome is refused with it; other task runs of the execution have no part in that. */
const linesOfOthers = (lines: readonly Op[], taskRunId: string): readonly Op[] =>
  lines.filter((op) => {
    if (op.op === 'log.insert') return op.log.taskRunId !== taskRunId;
    return op.op === 'metric.insert' && op.metric.taskRunId !== taskRunId;
  });

async function keepLines(lines: readonly Op[], { store, log }: Pick<SendFactParts, 'store' | 'log'>) {
  if (lines.length === 0) return;
  await store.commit(lines).catch((error: unknown) => {
    log.error('Log lines could not be stored.', { error });
  });
}
