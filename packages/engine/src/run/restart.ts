import { AppError, isTerminal, type StateType } from '@millrace/contract';
import { mergeLabels } from './acting.ts';
import { earlierFolders } from './directory.ts';
import { dispatch } from './dispatch.ts';
import { isAllowedFailure } from './end.ts';
import type { Node } from './node.ts';
import { continueAtWork, reopenAncestors, takeBackAfter } from './reopen.ts';
import { withItsFolder } from './replay.ts';
import type { Run } from './run.ts';
import { startSlas } from './sla.ts';
import { createdState, moveTaskRun } from './state.ts';

/** States of a task run that a restart runs again, when it restarts anything. */
const unfinished: ReadonlySet<StateType> = new Set(['FAILED', 'PAUSED', 'KILLED', 'CANCELLED', 'RETRIED']);

/** Runs the failed tasks again in the same execution. */
export function restart(run: Run): void {
  if (!isTerminal(run.state) && run.state !== 'PAUSED') {
    throw new AppError(
      'illegal-state',
      `The execution is ${run.state}: only one that has ended or is paused can be restarted.`,
    );
  }
  const restarted = reopenFailed(run);
  run.moveExecution('RUNNING');
  run.wakeAll();
  for (const node of restarted) dispatch(run, node);
}

/**
 * Reopens the failed task runs of an execution and those that were interrupted with them. Runs of errors,
 * finally and afterExecution are removed and run again. The caller dispatches the returned runs.
 */
export function reopenFailed(run: Run): readonly Node[] {
  const leaves = [...run.nodes.values()].filter((node) => isUnfinishedLeaf(run, node));
  // Failures that the task or an ancestor tolerates run again only when nothing else failed.
  const decisive = leaves.filter((node) => !isTolerated(node));
  const failed = decisive.some(isFailure) ? decisive : leaves;
  if (!failed.some(isFailure))
    throw new AppError('illegal-argument', 'No task found to restart: no task run failed or is paused.');
  const chosen = [...new Set(failed.map((node) => endedFolderOf(run, node) ?? node))];
  reopenExecution(run);
  startSlas(run);
  for (const node of chosen) {
    if (!run.nodes.has(node.record.id)) continue;
    takeBackAfter(run, node);
    rerun(run, node);
  }
  return chosen.filter((node) => run.nodes.has(node.record.id));
}

const isFailure = (node: Node): boolean => hasFailed(node) || node.record.state.current === 'PAUSED';

const hasFailed = (node: Node): boolean => node.record.state.current === 'FAILED' || isAllowedFailure(node);

/** Runs left unfinished by a worker, a child execution or a user, and control tasks that failed. */
function isUnfinishedLeaf(run: Run, node: Node): boolean {
  // A run that a task reported is not restarted: the task reports it again.
  if (node.record.dynamic || !isInMainList(node)) return false;
  if (!isUnfinished(node) && !isAllowedFailure(node)) return false;
  const control = run.index.controlOf(node.task);
  if (control?.kind !== 'container' && control?.kind !== 'waiting') return true;
  if (control.kind === 'container' && control.sharesDirectory) return true;
  return node.group === undefined || !node.group.lane('tasks').nodes.some(isUnfinished);
}

const isUnfinished = ({ record }: Node): boolean => unfinished.has(record.state.current);

/** False in errors, finally and the rest, or below them: those start again by themselves. */
function isInMainList(node: Node): boolean {
  for (let at: Node | undefined = node; at; at = at.lane.group.owner) {
    if (at.lane.branch !== 'tasks') return false;
  }
  return true;
}

function isTolerated(node: Node): boolean {
  if (isAllowedFailure(node)) return true;
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    if (owner.record.state.current === 'WARNING' || owner.record.state.current === 'SUCCESS') return true;
  }
  return false;
}

/** A WorkingDirectory that ended starts again as a whole, because its files no longer exist. */
function endedFolderOf(run: Run, node: Node): Node | undefined {
  const folder = withItsFolder(run, node);
  return isTerminal(folder.record.state.current) ? folder : undefined;
}

/** Starts a task run again, with a further attempt. */
export function rerun(run: Run, node: Node): void {
  reopenAncestors(run, node);
  if (canContinue(run, node)) return continueAtWork(run, node);
  const { children, directory, passedBreakpoint } = node.record.memo ?? {};
  const { copied, state } = node.record;
  const attempts = copied ? [] : node.record.attempts;
  const memo = {
    ...(children === undefined ? {} : { children, restarting: true }),
    ...(attempts.length === 0 ? {} : { earlierAttempts: attempts.length }),
    ...(passedBreakpoint === undefined ? {} : { passedBreakpoint }),
    // Another process may still own the previous folder, so a folder name is never reused.
    ...(directory === undefined ? {} : { earlierFolders: earlierFolders(node) + 1 }),
  };
  const before = copied ? createdState(run.now) : state;
  run.startOver(node, moveTaskRun(before, 'RESTARTED', run.now), { attempts, memo });
}

/** A control task that was interrupted between two children continues; a failed one starts again. */
function canContinue(run: Run, node: Node): boolean {
  const control = run.index.controlOf(node.task);
  return (
    control?.kind === 'container' &&
    !control.sharesDirectory &&
    !hasFailed(node) &&
    node.group?.plan !== undefined &&
    node.group.lane('tasks').nodes.length > 0
  );
}

/** Reopens an execution that had ended. */
export function reopenExecution(run: Run): void {
  run.clearEnd();
  run.updateExecution({
    attemptNumber: run.execution.attemptNumber + 1,
    labels: mergeLabels(run.execution.labels, [{ key: 'system.restarted', value: 'true' }]),
  });
  run.moveExecution('RESTARTED');
}
