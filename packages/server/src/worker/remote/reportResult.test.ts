import { AppError, type LogRecord } from '@millrace/contract';
import type { Op, Store } from '@millrace/store';
import { expect, it } from 'vitest';
import { putMessage } from '../../cluster/ownership.ts';
import type { LogBuffer } from '../../logs/logBuffer.ts';
import { silentLog } from '../../testing/silentLog.ts';
import { sendMessage } from './reportResult.ts';

it('stores no log line twice when a response is lost and the message is taken before the next try', async () => {
  const about = { executionId: 'e', taskRunId: 't', owner: 'o' };
  const line = (at: number): LogRecord => ({
    ...{ tenantId: 'main', namespace: 'company.team', flowId: 'f', executionId: 'e', taskRunId: 't' },
    ...{ attemptNumber: 0, level: 'INFO', message: 'said', at },
  });
  const lines = [1, 2].map((at): Op => ({ op: 'log.insert', log: line(at) }));
  const units: (readonly Op[])[] = [];
  // Only what a report reads and writes.
  const store = {
    commit: async (unit: readonly Op[]) => {
      units.push(unit);
      if (units.length === 1) throw new AppError('unavailable', 'The response was lost.');
    },
    listLogs: async () => units[0]?.flatMap((op) => (op.op === 'log.insert' ? [op.log] : [])) ?? [],
    listMetrics: async () => [],
  } as unknown as Store;
  const logs = { take: async () => lines } as unknown as LogBuffer;
  const event = { type: 'taskStarted', taskRunId: 't', attempt: 0 } as const;
  const message = putMessage('e', 'o', { kind: 'fact', event });
  const parts = { store, logs, log: silentLog, isStopped: () => false };
  expect(await sendMessage(about, message, [], parts)).toBe(true);
  expect(units).toEqual([[message, ...lines], [message]]);
});
