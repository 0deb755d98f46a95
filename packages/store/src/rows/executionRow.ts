import {
  type ExecutionRecord,
  isTerminal,
  type StateType,
  stateTimes,
  stateTypes,
  type TaskRunRecord,
} from '@millrace/contract';
import type { StoredExecution } from '../port/queries.ts';
import { decodeText, encodeOptional, encodeText } from './text.ts';
import type { SqlValue } from './value.ts';

export const msPerDay = 86_400_000;

/** The columns extracted from an execution so that lists can filter and sort by them. */
export interface ExecutionColumns {
  readonly startDate: number;
  readonly endDate: number | null;
  readonly duration: number | null;
  /** While null, a restarted server must resume the execution, even when its state is final. */
  readonly closedAt: number | null;
}

/** The start is the first history entry and never changes; an end exists only while the state is final. */
export function columnsOf(execution: ExecutionRecord): ExecutionColumns {
  const { histories, current } = execution.state;
  const startDate = histories[0]?.date ?? execution.originalCreatedAt;
  const closedAt = execution.closedAt ?? null;
  if (!isTerminal(current)) return { startDate, endDate: null, duration: null, closedAt };
  const { endedAt, durationMs } = stateTimes(execution.state, startDate);
  return { startDate, endDate: endedAt ?? startDate, duration: durationMs, closedAt };
}

/**
 * The record is stored as two JSON texts: `data`, written at each update, and `origin` (what the execution was
 * started with), which can be large and rarely changes. `closedAt` is stored in its column only.
 */
export const encodeData = (execution: ExecutionRecord): string =>
  JSON.stringify({ ...execution, closedAt: undefined, inputs: undefined, trigger: undefined });

export const encodeOrigin = (execution: ExecutionRecord): string =>
  JSON.stringify({ inputs: execution.inputs, trigger: execution.trigger });

/** The execution that started this one: the subflow task and the flow trigger put it into the trigger's variables. */
export function triggerExecutionIdOf(execution: ExecutionRecord): string | null {
  const id = execution.trigger?.variables?.executionId;
  return typeof id === 'string' ? encodeText(id) : null;
}

export const parentIdOf = (execution: ExecutionRecord): string | null => encodeOptional(execution.parentId);

/** Columns every query of executions selects. */
export interface ExecutionRow {
  readonly data: SqlValue;
  readonly origin: SqlValue;
  readonly row_id: SqlValue;
  readonly tenant_id: SqlValue;
  readonly namespace: SqlValue;
  readonly flow_id: SqlValue;
  readonly flow_revision: SqlValue;
  readonly state: SqlValue;
  readonly start_date: SqlValue;
  readonly end_date: SqlValue;
  readonly closed_at: SqlValue;
}

export function decodeExecution(row: ExecutionRow): ExecutionRecord {
  // `as`, here and below: these texts were written by the encoders.
  // Executions of schema 19 have `overAt` in their text too.
  const { overAt: _, ...data } = JSON.parse(String(row.data));
  const execution = { ...data, ...JSON.parse(String(row.origin)), ...closedAtOf(row) } as ExecutionRecord;
  checkState(execution);
  return execution;
}

/** Rejects an unknown state: code that branches on states would do the wrong thing, or wait forever. */
export function checkState({ state }: Pick<ExecutionRecord | TaskRunRecord, 'state'>): void {
  if (!isKnown(state?.current)) throw new Error(`"${state?.current}" is not a state`);
  if (!Array.isArray(state.histories)) throw new Error('its states have no history');
}

/** Marks an execution of which only the columns are readable. */
export const unreadableLabel = { key: 'system.unreadable', value: 'true' };

/**
 * Decodes an execution for a list. An execution with unreadable documents is built from its columns and
 * labeled as unreadable, so that users can see and delete it.
 */
export function decodeListedExecution(row: ExecutionRow): ExecutionRecord {
  try {
    return decodeExecution(row);
  } catch {
    return salvage(row);
  }
}

export function salvage(row: ExecutionRow): ExecutionRecord {
  const [id, startDate] = [decodeText(String(row.row_id)), Number(row.start_date)];
  const current = isKnown(row.state) ? row.state : 'FAILED';
  const moved = current === 'CREATED' ? [] : [{ state: current, date: Number(row.end_date ?? startDate) }];
  return {
    id,
    tenantId: decodeText(String(row.tenant_id)),
    namespace: decodeText(String(row.namespace)),
    flowId: decodeText(String(row.flow_id)),
    flowRevision: Number(row.flow_revision),
    labels: [unreadableLabel],
    originalId: id,
    attemptNumber: 1,
    originalCreatedAt: startDate,
    state: { current, histories: [{ state: 'CREATED', date: startDate }, ...moved] },
    ...closedAtOf(row),
  };
}

const closedAtOf = ({ closed_at }: ExecutionRow): Pick<ExecutionRecord, 'closedAt'> =>
  closed_at === null ? {} : { closedAt: Number(closed_at) };

const isKnown = (state: unknown): state is StateType => (stateTypes as readonly unknown[]).includes(state);

export function decodeStoredExecution(
  row: ExecutionRow & { readonly version: SqlValue; readonly event_seq: SqlValue },
  taskRuns: TaskRunRecord[],
): StoredExecution {
  taskRuns.sort((a, b) => a.order - b.order);
  for (const taskRun of taskRuns) checkState(taskRun);
  return {
    execution: decodeExecution(row),
    taskRuns,
    version: Number(row.version),
    eventSeq: Number(row.event_seq ?? 0),
  };
}
