import type { LogEntry, LogRecord } from '@millrace/contract';

/** The view of a log entry on the API. */
export function presentLog(log: LogRecord): LogEntry {
  const { tenantId, namespace, flowId, taskId, executionId, taskRunId, triggerId, thread } = log;
  return {
    tenantId,
    namespace,
    flowId,
    ...(taskId === undefined ? {} : { taskId }),
    ...(executionId === undefined ? {} : { executionId }),
    ...(taskRunId === undefined ? {} : { taskRunId }),
    attemptNumber: log.attemptNumber ?? null,
    ...(triggerId === undefined ? {} : { triggerId }),
    timestamp: new Date(log.at).toISOString(),
    level: log.level,
    ...(thread === undefined ? {} : { thread }),
    message: log.message,
    deleted: false,
  };
}
