import { setTimeout as delay } from 'node:timers/promises';
import type { LogRecord, MetricRecord } from '@millrace/contract';
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
  let lines = await logs.take(executionId, taskRunId);
  for (let tries = 0; ; tries++) {
    try {
      if (tries > 0) lines = await withoutStored(lines, { executionId, taskRunId }, store);
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

/**
 * An earlier try can be stored although its response was lost, and its message taken since: then nothing refuses the next
 * try. Sending the message again is harmless, but its lines must not be stored again.
 */
async function withoutStored(
  lines: readonly Op[],
  { executionId, taskRunId }: Pick<About, 'executionId' | 'taskRunId'>,
  store: Store,
): Promise<readonly Op[]> {
  if (lines.length === 0) return lines;
  const known = new Set([
    ...(await store.listLogs({ executionId, taskRunId })).map(keyOf),
    ...(await store.listMetrics(executionId)).map(keyOf),
  ]);
  return lines.filter((op) => {
    if (op.op === 'log.insert') return !known.has(keyOf(op.log));
    return op.op !== 'metric.insert' || !known.has(keyOf(op.metric));
  });
}

const keyOf = (line: Partial<LogRecord> & Partial<MetricRecord>): string =>
  JSON.stringify([
    line.taskRunId,
    line.attemptNumber,
    line.at,
    line.level,
    line.message,
    line.name,
    line.value,
  ]);
