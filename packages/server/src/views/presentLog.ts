import type { LogEntry, LogRecord, PackedLogs } from '@millrace/contract';

/** The view of a log entry on the API. */
export function presentLog(log: LogRecord): LogEntry {
  const { thread } = log;
  return {
    ...headOf(log),
    timestamp: new Date(log.at).toISOString(),
    level: log.level,
    ...(thread === undefined ? {} : { thread }),
    message: log.message,
    deleted: false,
  };
}

/** The fields that the entries of an attempt share. */
function headOf(log: LogRecord): Omit<LogEntry, 'timestamp' | 'level' | 'thread' | 'message' | 'deleted'> {
  const { tenantId, namespace, flowId, taskId, executionId, taskRunId, triggerId } = log;
  return {
    tenantId,
    namespace,
    flowId,
    ...(taskId === undefined ? {} : { taskId }),
    ...(executionId === undefined ? {} : { executionId }),
    ...(taskRunId === undefined ? {} : { taskRunId }),
    attemptNumber: log.attemptNumber ?? null,
    ...(triggerId === undefined ? {} : { triggerId }),
  };
}

/**
 * The JSON of each view, equal to `JSON.stringify(presentLog(log))`. A followed log can have 20,000 entries a second, and
 * most fields are those of the entry before, so the fields of a task run are serialized once.
 */
export function serializeLogs(logs: readonly LogRecord[]): string[] {
  const heads = new Map<string, string>();
  let [lastAt, date] = [Number.NaN, ''];
  return logs.map((log) => {
    const { taskRunId = '', attemptNumber = '', triggerId = '', taskId = '' } = log;
    const key = `${log.executionId ?? ''} ${taskRunId} ${attemptNumber} ${triggerId} ${taskId}`;
    let head = heads.get(key);
    if (head === undefined) {
      head = JSON.stringify(headOf(log)).slice(0, -1);
      heads.set(key, head);
    }
    if (log.at !== lastAt) [lastAt, date] = [log.at, new Date(log.at).toISOString()];
    const thread = log.thread === undefined ? '' : `,"thread":${JSON.stringify(log.thread)}`;
    return `${head},"timestamp":"${date}","level":"${log.level}"${thread},"message":${JSON.stringify(log.message)},"deleted":false}`;
  });
}

/** The views of entries in a row that differ only in their messages, as one. A flood of lines has few others. */
export function packLogs(logs: readonly LogRecord[]): PackedLogs {
  const packed: PackedLogs = [];
  let last: { readonly log: LogRecord; readonly messages: string[] } | undefined;
  for (const log of logs) {
    if (last === undefined || !differOnlyInMessage(last.log, log)) {
      const { message: _, ...shared } = presentLog(log);
      last = { log, messages: [] };
      packed.push({ ...shared, messages: last.messages });
    }
    last.messages.push(log.message);
  }
  return packed;
}

const differOnlyInMessage = (one: LogRecord, other: LogRecord): boolean =>
  one.at === other.at &&
  one.level === other.level &&
  one.taskRunId === other.taskRunId &&
  one.attemptNumber === other.attemptNumber &&
  one.triggerId === other.triggerId &&
  one.taskId === other.taskId &&
  one.executionId === other.executionId &&
  one.thread === other.thread;
