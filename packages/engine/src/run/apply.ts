import { AppError, isTerminal } from '@millrace/contract';
import type { Calling } from '../control/control.ts';
import { sequence } from '../control/plan.ts';
import { addEnd, isRepair, onChild, repairedState } from './calling.ts';
import { changeState, changeTaskRunState, setLabels } from './change.ts';
import { settle } from './decide.ts';
import { noteDecision } from './decision.ts';
import { onDirectory, onDirectoryLost } from './directory.ts';
import { contextOf, continueControl, guarded } from './dispatch.ts';
import type { Event, Wake } from './event.ts';
import { interruptAll } from './interrupt.ts';
import { endKill, kill } from './kill.ts';
import type { Node } from './node.ts';
import { startIteration } from './repeat.ts';
import { replayedLabels } from './replay.ts';
import { restart } from './restart.ts';
import { pause, resume, resumeFromBreakpoint } from './resume.ts';
import type { Run } from './run.ts';
import { checkAssertions, onSlaDeadline, startSlas } from './sla.ts';
import { onTaskEnded, onTaskStarted, onWorkerLost, tryAgain } from './taskResult.ts';
import { continueWaiting, endWaiting, pauseWhenSettled } from './waiting.ts';

/**
 * Applies one event and everything that follows from it; the only way to change an execution. Late and
 * duplicate events change nothing and are not recorded; an action whose precondition fails throws before any
 * change.
 */
export function apply(run: Run, event: Event, now: number): void {
  run.now = Math.max(now, run.now);
  if (recorded(run, event)) settleAll(run);
}

/**
 * The event is recorded first, so that the decisions that follow from it are recorded after it. An event that is
 * refused or changes nothing is not recorded.
 */
function recorded(run: Run, event: Event): boolean {
  const taskRunId = 'taskRunId' in event ? event.taskRunId : undefined;
  run.events.begin(event, run.now, taskRunId === undefined ? undefined : run.nodes.get(taskRunId)?.task.id);
  run.actor = event.by;
  let isAccepted = false;
  try {
    isAccepted = handle(run, event);
  } finally {
    run.actor = undefined;
    if (!isAccepted) run.events.takeBack();
  }
  return isAccepted;
}

export function settleAll(run: Run): void {
  do {
    settle(run);
    pauseWhenSettled(run);
    if (checkAssertions(run)) settle(run);
    endKill(run);
    if (isTerminal(run.state) && run.openTaskRuns === 0 && run.execution.closedAt === undefined) {
      run.dirty.add(run.root);
      settle(run);
    }
  } while (run.pausing.length > 0);
}

/** True when the event was accepted. */
function handle(run: Run, event: Event): boolean {
  switch (event.type) {
    case 'start':
      return start(run);
    case 'refused':
      return refuse(run, event);
    case 'taskStarted':
      return onTaskStarted(run, event);
    case 'taskEnded':
      return onTaskEnded(run, event);
    case 'workerLost':
      return onWorkerLost(run, event);
    case 'resolved':
      return onResolved(run, event);
    case 'directory':
      return onDirectory(run, event);
    case 'directoryLost':
      return onDirectoryLost(run, event);
    case 'listenersChosen':
      return onListenersChosen(run, event);
    case 'woken':
      return onWoken(run, event.wake);
    case 'childCreated':
    case 'childEnded':
    case 'childRefused': {
      const node = run.nodes.get(event.taskRunId);
      const control = node && run.index.controlOf(node.task);
      if (!node || control?.kind !== 'calling') return false;
      if (event.type === 'childEnded' && isTerminal(node.record.state.current))
        return onRepairedChild(run, node, control, event);
      return onChild(run, node, control, contextOf(run, node), event);
    }
    case 'kill':
      kill(run, event.cascade);
      return true;
    case 'pause':
      pause(run);
      return true;
    case 'resume':
      resume(run, event.inputs, event.taskRunId);
      return true;
    case 'resumeFromBreakpoint':
      resumeFromBreakpoint(run, event.breakpoints);
      return true;
    case 'restart':
      restart(run);
      return true;
    case 'replayed':
      run.replaceExecution(replayedLabels(run.execution));
      return true;
    case 'unqueue':
      if (run.state !== 'QUEUED')
        throw new AppError('illegal-argument', `The execution is ${run.state}, not in state QUEUED.`);
      return event.state === undefined || event.state === 'RUNNING'
        ? begin(run)
        : endUnstarted(run, event.state);
    case 'forceRun':
      return forceRun(run);
    case 'changeTaskRunState':
      changeTaskRunState(run, event.taskRunId, event.state);
      return true;
    case 'changeState':
      changeState(run, event.state);
      return true;
    case 'setLabels':
      setLabels(run, event.labels);
      return true;
    case 'broken':
      return onBroken(run, event.reason);
  }
}

/**
 * Sets the new result of the child. When no failed child is left, the execution continues as after a state change by a
 * user.
 */
function onRepairedChild(
  run: Run,
  node: Node,
  control: Calling,
  event: Extract<Event, { type: 'childEnded' }>,
): boolean {
  const context = contextOf(run, node);
  if (!isRepair(run, node, control, context, event)) return false;
  addEnd(run, node, control, context, event);
  const state = repairedState(node, control, context);
  if (state !== undefined) changeTaskRunState(run, node.record.id, state);
  return true;
}

/** Waits for a scheduled date in the future; otherwise the first task starts. */
function start(run: Run): boolean {
  if (run.state !== 'CREATED' && run.state !== 'QUEUED') return false;
  const { scheduledAt } = run.execution;
  if (scheduledAt !== undefined && scheduledAt > run.now) {
    run.emit({ effect: 'wake', wake: { reason: 'schedule', at: scheduledAt } });
    return true;
  }
  return begin(run);
}

function begin(run: Run): boolean {
  if (failChecks(run)) return true;
  run.moveExecution('RUNNING');
  run.root.plan ??= sequence(run.flow.tasks);
  run.dirty.add(run.root);
  startSlas(run);
  return true;
}

/** True when the execution fails because of checks that its creator found to fail. */
function failChecks(run: Run): boolean {
  const failedChecks = run.execution.memo?.failedChecks;
  if (!Array.isArray(failedChecks)) return false;
  for (const message of failedChecks) run.log('ERROR', `A check of the flow failed: ${message}`);
  return endUnstarted(run, 'FAILED');
}

function refuse(run: Run, event: Extract<Event, { type: 'refused' }>): boolean {
  if (run.state !== 'CREATED') return false;
  if (event.behavior === 'QUEUE') run.moveExecution('QUEUED');
  else {
    if (event.behavior === 'FAIL')
      run.log(
        'ERROR',
        `The concurrency limit of ${event.limit} is exceeded: the execution fails, as the flow asks.`,
      );
    endUnstarted(run, event.behavior === 'FAIL' ? 'FAILED' : 'CANCELLED');
  }
  return true;
}

function endUnstarted(run: Run, state: 'FAILED' | 'CANCELLED'): boolean {
  run.moveExecution(state);
  run.dirty.add(run.root);
  return true;
}

function onResolved(run: Run, event: Extract<Event, { type: 'resolved' }>): boolean {
  if (event.taskRunId === undefined) {
    if (run.execution.memo?.[event.key] !== undefined) return false;
    run.updateExecution({ memo: { ...run.execution.memo, [event.key]: event.result } });
    run.dirty.add(run.root);
    return true;
  }
  const node = run.nodes.get(event.taskRunId);
  if (!node || isTerminal(node.record.state.current)) return false;
  // The first value stays: after a restart of the process the expression is resolved a second time.
  if (node.record.memo?.[event.key] !== undefined) return false;
  run.remember(node, { [event.key]: event.result });
  if ('value' in event.result) {
    // The next step reads the stored value, so the decision is recorded here.
    const property = event.key.split('#')[0] ?? event.key;
    noteDecision(run, node, property, node.task[property], event.result.value);
  }
  if (node.group?.plan) run.dirty.add(node.group);
  else continueControl(run, node);
  return true;
}

function onListenersChosen(run: Run, event: Extract<Event, { type: 'listenersChosen' }>): boolean {
  if (!isTerminal(run.state) || run.execution.memo?.listeners !== undefined) return false;
  if (event.error !== undefined)
    run.log('ERROR', `The conditions of the listeners could not be evaluated: ${event.error}`);
  run.updateExecution({ memo: { ...run.execution.memo, listeners: event.indexes } });
  run.dirty.add(run.root);
  return true;
}

function onWoken(run: Run, wake: Wake): boolean {
  if (wake.reason === 'schedule') return run.state === 'CREATED' && start(run);
  if (wake.reason === 'sla') return onSlaDeadline(run, wake);
  if (wake.reason === 'replay') {
    const { replayAt, ...memo } = run.execution.memo ?? {};
    if (replayAt === undefined) return false;
    run.updateExecution({ memo });
    run.emit({ effect: 'replay' });
    return true;
  }
  const node = run.nodes.get(wake.taskRunId);
  if (
    !node ||
    node.record.memo?.wakeAt !== wake.at ||
    isTerminal(node.record.state.current) ||
    run.state === 'KILLING'
  )
    return false;
  if (wake.reason === 'retry' && node.record.state.current === 'RETRYING') tryAgain(run, node);
  else if (wake.reason === 'loop' && isAtWork(run, node)) startIteration(run, node);
  else if (wake.reason === 'pause' && node.record.state.current === 'PAUSED') {
    const control = run.index.controlOf(node.task);
    if (control?.kind !== 'waiting') return false;
    guarded(run, node, () => {
      const outcome = control.elapsed(contextOf(run, node));
      if (outcome === 'RESUME') continueWaiting(run, node, control, undefined);
      else endWaiting(run, node, outcome);
    });
  } else return false;
  return true;
}

function isAtWork(run: Run, node: Node): boolean {
  return node.record.state.current === 'RUNNING' && run.index.controlOf(node.task)?.kind === 'container';
}

function forceRun(run: Run): boolean {
  if (isTerminal(run.state))
    throw new AppError(
      'illegal-argument',
      `The execution is ${run.state}: one in a terminated state cannot be forced to run.`,
    );
  if (run.state === 'CREATED' || run.state === 'QUEUED') return begin(run);
  if (run.state === 'PAUSED') resume(run, undefined);
  else if (run.state === 'BREAKPOINT') resumeFromBreakpoint(run, undefined);
  else run.wakeAll();
  return true;
}

/** The engine cannot continue: the execution fails with the reason instead of staying open forever. */
function onBroken(run: Run, reason: string): boolean {
  if (isTerminal(run.state)) return false;
  run.log('ERROR', reason);
  interruptAll(run);
  for (const node of run.nodes.values()) {
    if (!isTerminal(node.record.state.current)) run.move(node, 'FAILED');
  }
  if (run.state === 'QUEUED') run.moveExecution('RUNNING');
  run.moveExecution(run.state === 'KILLING' ? 'KILLED' : 'FAILED');
  run.dirty.add(run.root);
  return true;
}
