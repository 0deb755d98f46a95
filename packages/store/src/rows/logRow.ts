import { type LogRecord, logLevels, type MetricRecord } from '@millrace/contract';
import type { Counted } from '../commit/rollUpSums.ts';
import type { LogSelection } from '../port/op.ts';
import type { StoredLog } from '../port/queries.ts';
import { rollUpSubjects } from './rollUp.ts';
import { decodeText, encodeOptional, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export function encodeLog(log: LogRecord): SqlValue[] {
  return [
    encodeText(log.tenantId),
    encodeText(log.namespace),
    encodeText(log.flowId),
    encodeOptional(log.executionId),
    encodeOptional(log.taskId),
    encodeOptional(log.taskRunId),
    log.attemptNumber ?? null,
    encodeOptional(log.triggerId),
    log.at,
    logLevels.indexOf(log.level),
    encodeOptional(log.thread),
    encodeText(log.message),
  ];
}

/** The roll-up values of an entry, or of `n` entries of its flow, level and step. */
export const countLog = (log: LogRecord, n = 1): Counted => [
  rollUpSubjects.logs,
  encodeText(log.namespace),
  encodeText(log.flowId),
  log.at,
  String(logLevels.indexOf(log.level)),
  n,
  null,
];

/** Two required parts, then the optional ones. */
export function encodeLogSelection(selection: LogSelection): SqlValue[] {
  if ('flowId' in selection) {
    const { namespace, flowId, triggerId } = selection;
    return [encodeText(namespace), encodeText(flowId), encodeOptional(triggerId)];
  }
  const { executionId, minLevel, taskId, taskRunId, attempt } = selection;
  return [
    encodeText(executionId),
    minLevel === undefined ? 0 : logLevels.indexOf(minLevel),
    encodeOptional(taskId),
    encodeOptional(taskRunId),
    attempt ?? null,
  ];
}

export function decodeLog(row: Row): StoredLog {
  const text = (name: string): string => decodeText(String(row[name]));
  const optional = <K extends string>(key: K, name: string) =>
    row[name] === null ? {} : ({ [key]: text(name) } as { [P in K]: string });
  return {
    id: Number(row.id),
    tenantId: text('tenant_id'),
    namespace: text('namespace'),
    flowId: text('flow_id'),
    ...optional('executionId', 'execution_id'),
    ...optional('taskId', 'task_id'),
    ...optional('taskRunId', 'task_run_id'),
    ...(row.attempt === null ? {} : { attemptNumber: Number(row.attempt) }),
    ...optional('triggerId', 'trigger_id'),
    at: Number(row.at),
    level: logLevels[Number(row.level)] ?? 'INFO',
    ...optional('thread', 'thread'),
    message: text('message'),
  };
}

/** The whole record is in `data`; the other columns are what aggregations group by. */
export function encodeMetric(metric: MetricRecord): SqlValue[] {
  return [
    encodeText(metric.namespace),
    encodeText(metric.flowId),
    encodeOptional(metric.executionId),
    encodeOptional(metric.taskId),
    encodeOptional(metric.taskRunId),
    encodeText(metric.name),
    metric.at,
    metric.value,
    JSON.stringify(metric),
  ];
}
