import type { LogEntry } from '@millrace/contract';

export const aLogEntry = (given: { [K in keyof LogEntry]?: LogEntry[K] | undefined } = {}): LogEntry =>
  ({
    namespace: 'company.team',
    flowId: 'etl',
    executionId: 'x1',
    taskId: 'load',
    taskRunId: 'r1',
    attemptNumber: 0,
    timestamp: '2026-03-01T08:00:00.000Z',
    level: 'INFO',
    message: 'hello',
    deleted: false,
    ...given,
  }) as LogEntry; // A message set to undefined stands for an entry without one.
