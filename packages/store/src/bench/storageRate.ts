import { type ExecutionRecord, isTerminal, type StateType, type TaskRunRecord } from '@millrace/contract';
import type { Op } from '../port/op.ts';
import type { Store } from '../port/store.ts';

export interface StorageRateOptions {
  readonly store: Store;
  readonly durationMs: number;
  /** Executions under way at once; each goes on only after its last step is on disk. */
  readonly inFlight?: number;
}

export interface StorageRate {
  readonly executions: number;
  readonly perSecond: number;
  /** From the first commit of an execution to its last. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * What the store alone can do: the writes of the benchmark's flow of two tasks, three commits each, without an engine.
 * The product's rate is judged as a share of this one, measured in the same run: machines and disks differ and change.
 */
export async function storageRate({
  store,
  durationMs,
  inFlight = 64,
}: StorageRateOptions): Promise<StorageRate> {
  const started = performance.now();
  const latencies: number[] = [];
  const lane = async (lane: number): Promise<void> => {
    for (let n = 0; performance.now() - started < durationMs; n++) {
      const begun = performance.now();
      await runExecution(store, `bench${lane}x${n}x${Math.random().toString(36).slice(2)}`);
      latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => lane(index)));
  const elapsedMs = performance.now() - started;
  latencies.sort((a, b) => a - b);
  return {
    executions: latencies.length,
    perSecond: (latencies.length / elapsedMs) * 1_000,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

/** Created; first task ended and second started; second task ended and with it the execution. */
async function runExecution(store: Store, id: string): Promise<void> {
  const created = newExecution(id, Date.now());
  const [first, second] = [newTaskRun(id, 'concatenate', 0), newTaskRun(id, 'log', 1)];
  await store.commit([
    { op: 'execution.insert', execution: created },
    { op: 'taskRun.put', taskRun: first },
    events(id, 1, [{ type: 'created' }, { type: 'submitted', taskRunId: first.id }]),
  ]);
  const running = movedTo(created, 'RUNNING');
  await store.commit([
    { op: 'execution.update', execution: running, previousState: 'CREATED', expectVersion: 1 },
    {
      op: 'taskRun.put',
      taskRun: { ...movedTo(first, 'SUCCESS'), outputs: { values: { message: 'Hello World' } } },
    },
    { op: 'taskRun.put', taskRun: second },
    events(id, 2, [
      { type: 'ended', taskRunId: first.id },
      { type: 'submitted', taskRunId: second.id },
    ]),
  ]);
  await store.commit([
    {
      op: 'execution.update',
      execution: movedTo(running, 'SUCCESS'),
      previousState: 'RUNNING',
      expectVersion: 2,
    },
    { op: 'taskRun.put', taskRun: movedTo(second, 'SUCCESS') },
    events(id, 3, [{ type: 'ended', taskRunId: second.id }]),
    log(id, second.id, 'Hello World'),
    log(id, second.id, 'The task run ended with SUCCESS.'),
  ]);
}

function newExecution(id: string, at: number): ExecutionRecord {
  return {
    id,
    tenantId: 'main',
    namespace: 'company.team',
    flowId: 'benchmark',
    flowRevision: 1,
    state: { current: 'CREATED', histories: [{ state: 'CREATED', date: at }] },
    inputs: { name: 'World' },
    labels: [{ key: 'system.correlationId', value: id }],
    trigger: {
      id: 'webhook',
      type: 'core.trigger.Webhook',
      variables: { body: {}, headers: {}, parameters: {} },
    },
    originalId: id,
    attemptNumber: 1,
    originalCreatedAt: at,
  };
}

function newTaskRun(executionId: string, taskId: string, order: number): TaskRunRecord {
  const state = { current: 'RUNNING', histories: [{ state: 'RUNNING', date: Date.now() }] } as const;
  return { id: `${executionId}t${order}`, executionId, taskId, order, state, attempts: [{ state }] };
}

function movedTo<R extends ExecutionRecord | TaskRunRecord>(record: R, current: StateType): R {
  return {
    ...record,
    ...(isTerminal(current) ? { overAt: Date.now() } : {}),
    state: { current, histories: [...record.state.histories, { state: current, date: Date.now() }] },
  };
}

const events = (executionId: string, seq: number, list: readonly unknown[]): Op => ({
  op: 'event.append',
  executionId,
  seq,
  at: Date.now(),
  events: list,
});

const log = (executionId: string, taskRunId: string, message: string): Op => ({
  op: 'log.insert',
  log: {
    tenantId: 'main',
    namespace: 'company.team',
    flowId: 'benchmark',
    executionId,
    taskId: 'log',
    taskRunId,
    attemptNumber: 0,
    at: Date.now(),
    level: 'INFO',
    message,
  },
});
