import {
  type Actor,
  AppError,
  type ExecutionRecord,
  isTerminal,
  type Label,
  playgroundKind,
  type TaskRunRecord,
  terminalStates,
} from '@millrace/contract';
import { createExecution, type Effect, findTask } from '@millrace/engine';
import { messageOf } from '@millrace/plugin-kit';
import { Conflict, isUnavailable, type Store } from '@millrace/store';
import { readInputs } from '../actions/readInputs.ts';
import { restartExecution } from '../actions/restartExecution.ts';
import { contextOfExecution, writeTraceParent } from '../tracing/traceParent.ts';
import type { ExecutorParts } from './executorParts.ts';
import type { ExecutorPort } from './executorPort.ts';
import { notifyParent } from './notifyParent.ts';
import { replayFromStart, replayKey } from './replay.ts';
import { signedExecutor } from './signedExecutor.ts';

/** Ends two flows that call each other endlessly. */
const maxDepth = 50;

interface ChildCall {
  readonly parent: ExecutionRecord;
  readonly taskRun: TaskRunRecord;
  readonly effect: Extract<Effect, { effect: 'createChild' }>;
}

/** Creates the child of a task run once, however often it is called: the unique key names the attempt. */
export async function startChild(
  call: ChildCall,
  parts: ExecutorParts,
  executor: ExecutorPort,
): Promise<void> {
  const { parent, taskRun, effect } = call;
  const { index } = effect;
  const key = childKey(call, effect.attempt);
  try {
    const known = await parts.store.findExecutionByKey(key);
    if (known !== undefined) await notifyAgain(known, call, parts, executor);
    else if (!effect.restart || !(await restartChild(call, parts, executor)))
      await create(call, key, parts, executor);
  } catch (error) {
    if (error instanceof Conflict) return startChild(call, parts, executor);
    // The caller retries: the database is unavailable, which is no fault of the call.
    if (isUnavailable(error)) throw error;
    if (!(error instanceof AppError))
      parts.log.error('A child execution could not be created.', { key, error });
    executor.notify(parent.id, {
      type: 'childRefused',
      taskRunId: taskRun.id,
      reason: messageOf(error),
      index,
    });
  }
}

/** Attempts count from 0, as the engine counts them. */
const childKey = ({ parent, taskRun, effect }: ChildCall, attempt: number): string =>
  `child/${parent.id}/${taskRun.id}/${attempt + 1}/${effect.index}`;

async function create(
  call: ChildCall,
  key: string,
  parts: ExecutorParts,
  executor: ExecutorPort,
): Promise<void> {
  const { parent, taskRun, effect } = call;
  const { request, index } = effect;
  const depth = Number(parent.memo?.depth ?? 0) + 1;
  if (depth > maxDepth) {
    throw new AppError(
      'illegal-state',
      `Executions call each other ${maxDepth} levels deep; this looks endless.`,
    );
  }
  const { runnable: flow } = await parts.flows.findRunnable(
    request.namespace,
    request.flowId,
    request.revision,
  );
  const id = parts.environment.newId();
  const inputs = await readInputs(flow, request.inputs, id, parts);
  const created = createExecution(flow, {
    id,
    tenantId: parent.tenantId,
    now: parts.clock(),
    inputs,
    labels: inheritedLabels(call, flow.labels ?? []),
    trigger: triggerInfo(call, await taskTypeOf(parent, taskRun.taskId, parts)),
    ...(request.scheduledAt === undefined ? {} : { scheduledAt: request.scheduledAt }),
    ...(parent.kind === playgroundKind ? { kind: playgroundKind } : {}),
    ...(parts.tracing ? { traceParent: writeTraceParent(contextOfExecution(parent)) } : {}),
  });
  // The parent must know which of its calls this is when it ends.
  const { triggerDepth } = parent.memo ?? {};
  const memo = {
    ...created.memo,
    childIndex: index,
    depth,
    ...(triggerDepth === undefined ? {} : { triggerDepth }),
    ...(request.outputs && !flow.outputs?.length ? { callerOutputs: request.outputs } : {}),
    ...(request.storesOutputs ? { storesOutputs: true } : {}),
  };
  await executor.create(flow, { ...created, memo }, key);
  executor.notify(parent.id, { type: 'childCreated', taskRunId: taskRun.id, executionId: id, index });
}

/** The child was created before a restart: the parent gets the events that it missed. */
async function notifyAgain(
  id: string,
  call: ChildCall,
  parts: ExecutorParts,
  executor: ExecutorPort,
): Promise<void> {
  const child = await findReplacement(id, parts.store);
  const { parent, taskRun, effect } = call;
  const about = { taskRunId: taskRun.id, index: effect.index };
  if (!child) {
    executor.notify(parent.id, {
      type: 'childRefused',
      ...about,
      reason: `The execution ${id} was deleted.`,
    });
    return;
  }
  executor.notify(parent.id, { type: 'childCreated', ...about, executionId: child.id });
  if (child.state.current === 'RETRIED') {
    // No process has it in memory, so no other one would create the replacement.
    if (!executor.holds(child.id)) await replayFromStart(child, parts, executor);
  } else if (child.closedAt !== undefined) await notifyParent(child, parts, executor);
}

/** The execution, or its replacement. */
async function findReplacement(id: string, store: Store): Promise<ExecutionRecord | undefined> {
  for (let next = id; ; ) {
    const execution = await store.getExecutionRecord(next);
    if (execution?.state.current !== 'RETRIED') return execution;
    const replacement = await store.findExecutionByKey(replayKey(execution));
    if (replacement === undefined) return execution;
    next = replacement;
  }
}

/**
 * Restarts the failed child of an earlier attempt of this call. Returns false when there is none, so that a new one must
 * be created.
 */
async function restartChild(call: ChildCall, parts: ExecutorParts, executor: ExecutorPort): Promise<boolean> {
  const { parent, taskRun, effect } = call;
  const child = await findPreviousChild(call, parts.store);
  if (!child) return false;
  const startedAt = taskRun.attempts[effect.attempt]?.state.histories[0]?.date ?? parts.clock();
  // A child that ended after this attempt began was already restarted for it, before the process stopped.
  const isToRestart = child.closedAt !== undefined && child.closedAt <= startedAt && hasFailed(child);
  try {
    const asked = signedExecutor(executor, { by: { type: 'execution', id: parent.id } });
    if (isToRestart) await restartExecution(child.id, undefined, { ...parts, executor: asked });
  } catch (error) {
    // Nothing in it can be done again, or it is gone.
    if (error instanceof AppError && error.code !== 'unavailable') return false;
    throw error;
  }
  const about = { taskRunId: taskRun.id, index: effect.index };
  executor.notify(parent.id, { type: 'childCreated', ...about, executionId: child.id });
  if (!isToRestart && child.closedAt !== undefined) await notifyParent(child, parts, executor);
  return true;
}

const hasFailed = ({ state }: ExecutionRecord): boolean =>
  state.current === 'FAILED' || state.current === 'KILLED';

/** The child of an earlier attempt; an attempt that restarted a child created none. */
async function findPreviousChild(call: ChildCall, store: Store): Promise<ExecutionRecord | undefined> {
  for (let attempt = call.effect.attempt - 1; attempt >= 0; attempt--) {
    const id = await store.findExecutionByKey(childKey(call, attempt));
    if (id !== undefined) return findReplacement(id, store);
  }
  return undefined;
}

/** Asks every open child to stop; each takes its own children along. */
export async function killChildren(parentId: string, store: Store, executor: ExecutorPort): Promise<void> {
  const by: Actor = { type: 'execution', id: parentId };
  for (let page = 1; ; page++) {
    const { results } = await store.listExecutions({
      page,
      size: 500,
      sort: [{ field: 'id', descending: false }],
      filters: [
        { field: 'triggerExecutionId', operation: 'EQUALS', value: parentId },
        { field: 'state', operation: 'NOT_IN', value: terminalStates },
      ],
    });
    const open = results.filter(({ execution }) => !isTerminal(execution.state.current));
    for (const { execution } of open) executor.notify(execution.id, { type: 'kill', cascade: true, by });
    if (results.length < 500) return;
  }
}

/**
 * The child always inherits the parent's system labels, including the correlation id. It inherits other
 * labels only on request, and they never override a label of the child's flow.
 */
function inheritedLabels({ parent, effect }: ChildCall, own: readonly Label[]): Label[] {
  const { inheritLabels, labels } = effect.request;
  const ownKeys = new Set(own.map(({ key }) => key));
  const inherited = parent.labels.filter(
    ({ key }) => key.startsWith('system.') || (inheritLabels && !ownKeys.has(key)),
  );
  return [...inherited, ...labels];
}

function triggerInfo({ parent, taskRun, effect }: ChildCall, type: string) {
  const iteration = effect.request.storesOutputs ? effect.index + 1 : taskRun.iteration;
  return {
    id: taskRun.taskId,
    type,
    variables: {
      executionId: parent.id,
      namespace: parent.namespace,
      flowId: parent.flowId,
      flowRevision: parent.flowRevision,
      taskRunId: taskRun.id,
      taskId: taskRun.taskId,
      ...(taskRun.value === undefined ? {} : { taskRunValue: taskRun.value }),
      ...(iteration === undefined ? {} : { taskRunIteration: iteration }),
    },
  };
}

async function taskTypeOf(
  parent: ExecutionRecord,
  taskId: string,
  { flows }: ExecutorParts,
): Promise<string> {
  const found = await flows.find(parent.namespace, parent.flowId, parent.flowRevision);
  return (found && findTask(found.flow, taskId)?.type) ?? 'core.flow.Subflow';
}
