import {
  type ExecutionRecord,
  type Flow,
  type Input,
  isCreated,
  isTerminal,
  type TaskRunRecord,
  type WaitedFor,
  type Waiting,
} from '@millrace/contract';
import { controlTypeOf, findTask } from '@millrace/engine';
import type { Filter, Store, StoredExecution } from '@millrace/store';
import { listServices } from '../cluster/services.ts';
import { holding } from '../executor/admission.ts';
import type { Product } from '../product.ts';
import { readWorkerGroup } from '../worker/remote/workerGroup.ts';
import { findExecution } from './findExecution.ts';
import type { FlowCache } from './flowCache.ts';

type Parts = Pick<Product, 'roles' | 'instanceId' | 'membership' | 'clock' | 'controls'> & {
  readonly store: Store;
  readonly flows: FlowCache;
};

/** The executions in front are listed up to this number; the rest is a count. */
const maxListed = 5;
/** An execution can have many waiting task runs; the first ones explain it. */
const maxReasons = 20;

const iso = (at: number): string => new Date(at).toISOString();

/** Why an execution does not continue; empty when it runs or has ended. */
export async function explainWaiting(executionId: string, parts: Parts): Promise<Waiting[]> {
  const stored = await findExecution(parts, executionId);
  const { execution } = stored;
  const state = execution.state.current;
  const replayAt = execution.memo?.replayAt;
  if (typeof replayAt === 'number')
    return [
      { kind: 'retry', attempt: execution.attemptNumber + 1, until: iso(replayAt), newExecution: true },
    ];
  if (isTerminal(state)) return [];
  if (state === 'CREATED')
    return execution.scheduledAt === undefined
      ? []
      : [{ kind: 'schedule', until: iso(execution.scheduledAt) }];
  const { namespace, flowId, flowRevision } = execution;
  if (state === 'QUEUED') return explainQueue(execution, parts);
  const flow = (await parts.flows.find(namespace, flowId, flowRevision))?.flow;
  const reasons = flow ? explainTaskRuns(stored, flow, parts) : [];
  if (state !== 'PAUSED' || reasons.some(({ kind }) => kind === 'pause')) return reasons;
  const by = execution.state.histories.at(-1)?.by;
  return [{ kind: 'pause', inputs: [], ...(by ? { by } : {}) }, ...reasons];
}

async function explainQueue(execution: ExecutionRecord, { store, flows }: Parts): Promise<Waiting[]> {
  const { namespace, flowId } = execution;
  const limit = (await flows.find(namespace, flowId))?.flow.concurrency?.limit;
  if (limit === undefined) return [];
  const list = (filters: readonly Filter[]) =>
    store.listExecutions({
      page: 1,
      size: maxListed,
      sort: [{ field: 'state.startDate', descending: false }],
      filters: [
        { field: 'namespace', operation: 'EQUALS', value: namespace },
        { field: 'flowId', operation: 'EQUALS', value: flowId },
        ...filters,
      ],
    });
  const createdAt = execution.state.histories[0]?.date ?? execution.originalCreatedAt;
  const [running, ahead] = await Promise.all([
    list([{ field: 'state', operation: 'IN', value: holding }]),
    list([
      { field: 'state', operation: 'EQUALS', value: 'QUEUED' },
      { field: 'startDate', operation: 'LESS_THAN', value: iso(createdAt) },
    ]),
  ]);
  return [
    {
      kind: 'queue',
      limit,
      running: running.total,
      holders: running.results.map(({ execution: one }) => toWaitedFor(one)),
      ahead: ahead.total,
      next: ahead.results.map(({ execution: one }) => toWaitedFor(one)),
    },
  ];
}

const toWaitedFor = ({ id, namespace, flowId, state, originalCreatedAt }: ExecutionRecord): WaitedFor => ({
  id,
  namespace,
  flowId,
  state: state.current,
  startDate: iso(state.histories[0]?.date ?? originalCreatedAt),
});

function explainTaskRuns({ execution, taskRuns }: StoredExecution, flow: Flow, parts: Parts): Waiting[] {
  const reasons = taskRuns.flatMap((taskRun) => explainDate(taskRun, flow)).slice(0, maxReasons);
  const waiting = taskRuns.filter(
    (taskRun) =>
      isCreated(taskRun.state.current) &&
      controlTypeOf(findTask(flow, taskRun.taskId)?.type ?? '') === undefined,
  );
  if (execution.state.current === 'BREAKPOINT')
    return [...reasons, ...waiting.map((taskRun): Waiting => ({ kind: 'breakpoint', ...aboutOf(taskRun) }))];
  if (execution.state.current === 'PAUSED') return reasons;
  return [...reasons, ...explainWorkers(waiting, flow, parts)];
}

/** Task runs that wait for a date or a user. */
function explainDate(taskRun: TaskRunRecord, flow: Flow): Waiting[] {
  const { state, memo, attempts } = taskRun;
  const about = aboutOf(taskRun);
  const at = typeof memo?.wakeAt === 'number' ? iso(memo.wakeAt) : undefined;
  if (state.current === 'RETRYING' && at !== undefined)
    return [{ kind: 'retry', ...about, attempt: attempts.length + 1, until: at, newExecution: false }];
  if (state.current === 'RUNNING' && at !== undefined) return [{ kind: 'loop', ...about, until: at }];
  if (state.current !== 'PAUSED') return [];
  const task = findTask(flow, taskRun.taskId);
  const isDelay = task?.pauseDuration !== undefined || task?.delay !== undefined;
  return [
    {
      kind: 'pause',
      ...about,
      ...(typeof task?.description === 'string' ? { text: task.description } : {}),
      // `as`: the schema of a Pause has checked them when the flow was saved.
      inputs: Array.isArray(task?.onResume) ? (task.onResume as Input[]) : [],
      ...(at === undefined ? {} : { until: at, then: isDelay ? behaviorOf(task?.behavior) : 'FAIL' }),
    },
  ];
}

const behaviors = ['RESUME', 'WARN', 'FAIL', 'CANCEL'] as const;

/** An expression is decided when the time comes; without one the pause resumes. */
const behaviorOf = (written: unknown): (typeof behaviors)[number] =>
  behaviors.find((behavior) => behavior === written) ?? 'RESUME';

/** Task runs that no worker has started, by the group of workers that they need. */
function explainWorkers(waiting: readonly TaskRunRecord[], flow: Flow, parts: Parts): Waiting[] {
  const groups = new Map<string | undefined, TaskRunRecord[]>();
  for (const taskRun of waiting) {
    const key = readWorkerGroup(findTask(flow, taskRun.taskId) ?? {})?.key;
    groups.set(key, [...(groups.get(key) ?? []), taskRun]);
  }
  const workers = listServices(parts)
    .filter(({ state, roles }) => state === 'RUNNING' && roles.includes('worker'))
    .map(({ id, workerGroup }) => ({ id, ...(workerGroup === undefined ? {} : { workerGroup }) }));
  return [...groups].map(([key, taskRuns]): Waiting => {
    const first = taskRuns[0]!;
    const ofGroup = workers.filter(({ workerGroup }) => workerGroup === key);
    const drained = ofGroup.filter(({ id }) => parts.controls.drainOf(id) !== undefined).length;
    return {
      kind: 'worker',
      ...aboutOf(first),
      count: taskRuns.length,
      since: iso(first.state.histories.at(-1)?.date ?? parts.clock()),
      ...(key === undefined ? {} : { workerGroup: key }),
      ...(parts.controls.areTasksHeld ? { isMaintenance: true } : {}),
      able: ofGroup.length - drained,
      ...(drained > 0 ? { drained } : {}),
      workers,
    };
  });
}

const aboutOf = ({ id, taskId, value }: TaskRunRecord) => ({
  taskRunId: id,
  taskId,
  ...(value === undefined ? {} : { value }),
});
