import {
  type ExecutionRecord,
  type FlowRecord,
  isTerminal,
  type LogRecord,
  type MetricRecord,
  type StateType,
  type TaskRunRecord,
} from '@millrace/contract';
import type { Op, TriggerRecord } from '../port/op.ts';

/** Records for tests: complete and small; a test names only what matters to it. */
let count = 0;
/** A name that no other test uses, so that tests can share a store. */
export const unique = (prefix: string): string =>
  `${prefix}${Date.now().toString(36)}x${(++count).toString(36)}`;

export const day = 86_400_000;
export const noon = Date.UTC(2025, 2, 1, 12);

export function anExecution(
  wanted: Partial<Omit<ExecutionRecord, 'state'>> & { state?: StateType; start?: number; end?: number } = {},
): ExecutionRecord {
  const { state = 'CREATED', start = noon, end = start + 1_000, ...rest } = wanted;
  const id = rest.id ?? unique('e');
  return {
    id,
    tenantId: 'main',
    namespace: 'company.team',
    flowId: 'hello',
    flowRevision: 1,
    labels: [],
    originalId: id,
    attemptNumber: 1,
    originalCreatedAt: start,
    ...(isTerminal(state) ? { closedAt: end } : {}),
    state: {
      current: state,
      histories:
        state === 'CREATED'
          ? [{ state, date: start }]
          : [
              { state: 'CREATED', date: start },
              { state, date: end },
            ],
    },
    ...rest,
  };
}

/** The same execution in another state. */
export function moved(execution: ExecutionRecord, state: StateType, at = noon + 2_000): ExecutionRecord {
  return {
    ...execution,
    ...(isTerminal(state) ? { closedAt: at } : {}),
    state: { current: state, histories: [...execution.state.histories, { state, date: at }] },
  };
}

export const insert = (execution: ExecutionRecord): Op => ({ op: 'execution.insert', execution });

export const update = (before: ExecutionRecord, execution: ExecutionRecord, expectVersion: number): Op => ({
  op: 'execution.update',
  execution,
  previousState: before.state.current,
  expectVersion,
});

export function aTaskRun(executionId: string, wanted: Partial<TaskRunRecord> = {}): TaskRunRecord {
  return {
    id: unique('t'),
    executionId,
    taskId: 'task',
    order: 0,
    state: { current: 'RUNNING', histories: [{ state: 'RUNNING', date: noon }] },
    attempts: [],
    ...wanted,
  };
}

export function aLog(wanted: Partial<LogRecord> = {}): LogRecord {
  return {
    tenantId: 'main',
    namespace: 'company.team',
    flowId: 'hello',
    at: noon,
    level: 'INFO',
    message: 'a message',
    ...wanted,
  };
}

export function aMetric(wanted: Partial<MetricRecord> = {}): MetricRecord {
  return {
    tenantId: 'main',
    namespace: 'company.team',
    flowId: 'hello',
    type: 'counter',
    name: 'rows',
    value: 1,
    at: noon,
    ...wanted,
  };
}

export function aFlow(wanted: Partial<FlowRecord> = {}): FlowRecord {
  return {
    tenantId: 'main',
    namespace: 'company.team',
    id: unique('f'),
    revision: 1,
    source: 'id: hello\n',
    labels: [],
    disabled: false,
    deleted: false,
    updatedAt: noon,
    ...wanted,
  };
}

export function aTrigger(wanted: Partial<TriggerRecord> = {}): TriggerRecord {
  return {
    tenantId: 'main',
    namespace: 'company.team',
    flowId: 'hello',
    triggerId: unique('g'),
    disabled: false,
    updatedAt: noon,
    ...wanted,
  };
}
