import { type ExecutionRecord, isTerminal, type TaskRunRecord } from '@millrace/contract';
import type { ExecutionWithTaskRuns, StoredExecution } from '../port/store.ts';
import { encodeOptional, encodeText } from './text.ts';
import type { SqlValue } from './value.ts';

export const msPerDay = 86_400_000;

/** The columns taken out of an execution so that lists can filter and sort on them. */
export interface ExecutionColumns {
  readonly startDate: number;
  readonly endDate: number | null;
  readonly duration: number | null;
  /** While it is absent, a restart must carry on with the execution, ended or not. */
  readonly overAt: number | null;
}

/** The start is the first history and never changes; an end exists only while nothing more happens by itself. */
export function columnsOf(execution: ExecutionRecord): ExecutionColumns {
  const { histories, current } = execution.state;
  const startDate = histories[0]?.date ?? execution.originalCreatedAt;
  const overAt = execution.overAt ?? null;
  if (!isTerminal(current)) return { startDate, endDate: null, duration: null, overAt };
  const endDate = histories[histories.length - 1]?.date ?? startDate;
  return { startDate, endDate, duration: endDate - startDate, overAt };
}

/**
 * The record is stored as two JSON texts: `data`, written at each update, and `origin` (what the execution was
 * started with), which can be large and hardly ever changes.
 */
export const encodeData = (execution: ExecutionRecord): string =>
  JSON.stringify({ ...execution, inputs: undefined, trigger: undefined });

export const encodeOrigin = (execution: ExecutionRecord): string =>
  JSON.stringify({ inputs: execution.inputs, trigger: execution.trigger });

/** The execution that started this one: the subflow task and the flow trigger put it into the trigger's variables. */
export function triggerExecutionIdOf(execution: ExecutionRecord): string | null {
  const id = execution.trigger?.variables?.executionId;
  return typeof id === 'string' ? encodeText(id) : null;
}

export const parentIdOf = (execution: ExecutionRecord): string | null => encodeOptional(execution.parentId);

/** Columns every query of executions selects; the task runs arrive as the inside of one JSON array. */
export interface ExecutionRow {
  readonly data: SqlValue;
  readonly origin: SqlValue;
  readonly task_runs: SqlValue;
}

export function decodeExecution(row: ExecutionRow): ExecutionWithTaskRuns {
  // `as`: these texts were written by the encoders above.
  const execution = { ...JSON.parse(String(row.data)), ...JSON.parse(String(row.origin)) } as ExecutionRecord;
  const taskRuns = row.task_runs === null ? [] : (JSON.parse(`[${row.task_runs}]`) as TaskRunRecord[]);
  taskRuns.sort((a, b) => a.order - b.order);
  return { execution, taskRuns };
}

export function decodeStoredExecution(
  row: ExecutionRow & { readonly version: SqlValue; readonly event_seq: SqlValue },
): StoredExecution {
  return { ...decodeExecution(row), version: Number(row.version), eventSeq: Number(row.event_seq ?? 0) };
}
