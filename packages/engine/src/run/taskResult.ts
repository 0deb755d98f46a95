import { isCreated, isTerminal } from '@millrace/contract';
import { dispatch, submit } from './dispatch.ts';
import { endNode } from './end.ts';
import type { DynamicTaskRun, Event } from './event.ts';
import { Group, type Node } from './node.ts';
import { endOrRetry, retryAt } from './retry.ts';
import type { Run } from './run.ts';

type Of<T extends Event['type']> = Extract<Event, { type: T }>;

/** After this many lost attempts a task run fails instead of running again. */
const maxLosses = 3;
/**
 * After this many shared losses the next attempt backs off, so that a task that crashes servers runs alone.
 */
const sharedLossesAtOnce = 2;
const firstBackOffMs = 30_000;
const longestBackOffMs = 300_000;
/** An attempt that ran this long before its worker was lost resets the count. */
const steadyMs = 600_000;

/** A worker starts the current attempt; an event for another attempt is late and changes nothing. */
export function onTaskStarted(run: Run, event: Of<'taskStarted'>): boolean {
  const node = run.nodes.get(event.taskRunId);
  if (!node || !isCreated(node.record.state.current) || event.attempt !== node.record.attempts.length)
    return false;
  if (run.state === 'KILLING') return false;
  if (run.state === 'RESTARTED') run.moveExecution('RUNNING');
  run.beginAttempt(node);
  run.move(node, 'RUNNING');
  return true;
}

/** A result counts only for the running attempt: a late result of a lost attempt changes nothing. */
export function onTaskEnded(run: Run, event: Of<'taskEnded'>): boolean {
  const node = currentAttempt(run, event);
  if (!node) return false;
  if (event.reason !== undefined) run.log('ERROR', event.reason, node);
  run.endAttempt(node, event.state, event.logFile);
  if (event.outputs) run.update(node, { outputs: event.outputs });
  for (const child of event.dynamic ?? []) addDynamic(run, node, child);
  endOrRetry(run, node, event.state);
  return true;
}

/** Records a run that the task reported at run time as its child; no decision depends on it. */
function addDynamic(run: Run, node: Node, child: DynamicTaskRun): void {
  node.group ??= new Group(node, {});
  const ran = { state: 'RUNNING', date: child.startedAt } as const;
  const ended = { state: child.state, date: child.endedAt };
  const state = {
    current: child.state,
    histories: [{ state: 'CREATED', date: child.startedAt } as const, ran, ended],
  };
  run.attachDynamic(node.group.lane('tasks'), child, state);
}

/** The worker was lost: the task gets another attempt, unless it has lost too many workers. */
export function onWorkerLost(run: Run, event: Of<'workerLost'>): boolean {
  const node = currentAttempt(run, event);
  if (!node) return false;
  run.endAttempt(node, 'KILLED');
  if (run.state === 'KILLING' || isTerminal(run.state)) {
    endNode(run, node, 'KILLED');
    return true;
  }
  const losses = Number(node.record.memo?.losses ?? 0) + (event.isDrained || event.isShared ? 0 : 1);
  const sharedLosses = event.isShared ? countSharedLoss(run, node) : 0;
  run.remember(node, { losses, ...(event.isShared ? { sharedLosses } : {}) });
  if (losses >= maxLosses) {
    run.log(
      'ERROR',
      `The worker was lost ${losses} times while running this task; it is not tried again.`,
      node,
    );
    endNode(run, node, 'FAILED');
    return true;
  }
  if (sharedLosses > sharedLossesAtOnce) {
    const waitMs = backOffMs(run, sharedLosses - sharedLossesAtOnce);
    run.log(
      'WARN',
      `The worker was lost ${sharedLosses} times while running this task; it is run again in ${Math.round(waitMs / 1_000)} s.`,
      node,
    );
    retryAt(run, node, run.now + waitMs);
    return true;
  }
  const reason = event.isDrained ? 'stopped' : 'was lost';
  run.log('WARN', `The worker ${reason} while running this task; it is run again.`, node);
  run.move(node, 'CREATED');
  submit(run, node);
  return true;
}

function countSharedLoss(run: Run, { record }: Node): number {
  const startedAt = record.attempts.at(-1)?.state.histories[0]?.date ?? run.now;
  return run.now - startedAt > steadyMs ? 1 : Number(record.memo?.sharedLosses ?? 0) + 1;
}

/** Exponential backoff with jitter, so that tasks that were lost together do not start together. */
function backOffMs(run: Run, times: number): number {
  const wait = Math.min(firstBackOffMs * 2 ** (times - 1), longestBackOffMs);
  return Math.round(wait * (0.5 + run.environment.random()));
}

/** Starts the next attempt when its delay has passed. */
export function tryAgain(run: Run, node: Node): void {
  const { wakeAt: _, ...memo } = node.record.memo ?? {};
  run.update(node, { memo });
  run.move(node, 'CREATED');
  const others = [...run.nodes.values()].some((other) => other.record.state.current === 'RETRYING');
  if (!others && run.state === 'RETRYING') run.moveExecution('RUNNING');
  dispatch(run, node);
}

function currentAttempt(run: Run, event: { taskRunId: string; attempt: number }): Node | undefined {
  const node = run.nodes.get(event.taskRunId);
  const isCurrent =
    node?.record.state.current === 'RUNNING' && event.attempt === node.record.attempts.length - 1;
  return isCurrent ? node : undefined;
}
