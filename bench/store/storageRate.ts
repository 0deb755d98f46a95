import type { ExecutionRecord, StateRecord } from '@millrace/contract';
import type { Op, Store } from '@millrace/store';

interface StorageRateOptions {
  readonly store: Store;
  readonly durationMs: number;
  /** Concurrent executions; the next one starts when the last is on disk. */
  readonly inFlight?: number;
  /** False leaves out the events of each execution: the difference is what recording them costs. */
  readonly withEvents?: boolean;
}

interface StorageRate {
  readonly executions: number;
  readonly perSecond: number;
  /** How long an execution waits for its commit. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Measures the store alone: the single commit that the product makes for the benchmark's flow of two tasks,
 * without an engine. An execution that may start at once is stored after its first step, and pure tasks end
 * in that step. The product's rate is judged as a share of this one, measured in the same run, because
 * machines and disks differ.
 */
export async function storageRate({
  store,
  durationMs,
  inFlight = 64,
  withEvents = true,
}: StorageRateOptions): Promise<StorageRate> {
  const started = performance.now();
  const latencies: number[] = [];
  const lane = async (lane: number): Promise<void> => {
    for (let n = 0; performance.now() - started < durationMs; n++) {
      const begun = performance.now();
      await store.commit(
        opsOf(`bench${lane}x${n}x${Math.random().toString(36).slice(2)}`).filter(
          ({ op }) => withEvents || op !== 'event.append',
        ),
      );
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

/** The same rows, events and log line as the product commits. */
function opsOf(id: string): readonly Op[] {
  const at = Date.now();
  const [first, second] = [`${id}t0`, `${id}t1`];
  const outputs = { values: { message: 'Hello World' } };
  return [
    { op: 'execution.insert', execution: endedExecution(id, at) },
    { op: 'taskRun.put', taskRun: { ...endedTaskRun(id, first, 'concatenate', at), order: 0, outputs } },
    { op: 'taskRun.put', taskRun: { ...endedTaskRun(id, second, 'log', at), order: 1 } },
    {
      op: 'event.append',
      executionId: id,
      seq: 1,
      at,
      events: [
        { type: 'start' },
        { type: 'taskStarted', taskRunId: first, attempt: 0 },
        { type: 'taskEnded', taskRunId: first, attempt: 0, state: 'SUCCESS', outputs },
        { type: 'taskStarted', taskRunId: second, attempt: 0 },
        { type: 'taskEnded', taskRunId: second, attempt: 0, state: 'SUCCESS' },
      ],
    },
    {
      op: 'log.insert',
      log: {
        tenantId: 'main',
        namespace: 'company.team',
        flowId: 'benchmark',
        executionId: id,
        taskId: 'log',
        taskRunId: second,
        attemptNumber: 0,
        at,
        level: 'INFO',
        message: 'Hello World',
      },
    },
  ];
}

function endedExecution(id: string, at: number): ExecutionRecord {
  return {
    id,
    tenantId: 'main',
    namespace: 'company.team',
    flowId: 'benchmark',
    flowRevision: 1,
    state: endedState(at),
    inputs: { name: 'World' },
    labels: [{ key: 'system.correlationId', value: id }],
    trigger: {
      id: 'webhook',
      type: 'core.trigger.Webhook',
      variables: { headers: { host: ['127.0.0.1:8080'] }, parameters: {} },
    },
    originalId: id,
    attemptNumber: 1,
    originalCreatedAt: at,
    closedAt: at,
  };
}

const endedTaskRun = (executionId: string, id: string, taskId: string, at: number) => ({
  id,
  executionId,
  taskId,
  state: endedState(at),
  attempts: [{ state: endedState(at) }],
});

const endedState = (at: number): StateRecord => ({
  current: 'SUCCESS',
  histories: [
    { state: 'CREATED', date: at },
    { state: 'RUNNING', date: at },
    { state: 'SUCCESS', date: at },
  ],
});
