import { AppError, isTerminal } from '@millrace/contract';
import { mergeLabels } from './acting.ts';
import { earlierFolders } from './directory.ts';
import { dispatch } from './dispatch.ts';
import { recountAll } from './load.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';

/** Runs the failed tasks again. What accompanied the failure (errors, finally, afterExecution) is taken back. */
export function restart(run: Run): void {
  if (!isTerminal(run.state) && run.state !== 'PAUSED') {
    throw new AppError(
      'illegal-state',
      `The execution is ${run.state}: only one that has ended or is paused can be restarted.`,
    );
  }
  const failed = [...run.nodes.values()].filter((node) => isRestartable(run, node));
  // A failure that its author tolerated is run again only when nothing else failed.
  const decisive = failed.filter((node) => !isTolerated(node));
  const chosen = decisive.length > 0 ? decisive : failed;
  if (chosen.length === 0)
    throw new AppError('illegal-argument', 'No task found to restart: no task run failed or is paused.');
  reopen(run);
  for (const node of [...run.nodes.values()]) {
    if (run.nodes.has(node.record.id) && node.lane.branch !== 'tasks') run.remove(node);
  }
  for (const node of chosen) if (run.nodes.has(node.record.id)) rerun(run, node);
  recountAll(run.root);
  for (const node of run.nodes.values()) if (node.group) recountAll(node.group);
  run.moveExecution('RUNNING');
  run.dirty.add(run.root);
  for (const node of chosen) if (run.nodes.has(node.record.id)) dispatch(run, node);
}

/** The leaves of the failure: what a worker, a child execution or a person left failed or paused. */
function isRestartable(run: Run, node: Node): boolean {
  const state = node.record.state.current;
  if ((state !== 'FAILED' && state !== 'PAUSED') || node.lane.branch !== 'tasks') return false;
  const control = run.index.controlOf(node.task);
  const failedChildren = [...(node.group?.allLanes() ?? [])].some(
    (lane) => lane.branch === 'tasks' && (lane.count('FAILED') > 0 || lane.count('PAUSED') > 0),
  );
  return control?.kind !== 'container' || control.sharesDirectory === true || !failedChildren;
}

function isTolerated(node: Node): boolean {
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    if (owner.record.state.current === 'WARNING' || owner.record.state.current === 'SUCCESS') return true;
  }
  return false;
}

function rerun(run: Run, node: Node): void {
  const control = run.index.controlOf(node.task);
  // A task that a worker runs has children only where it made them up; the next attempt makes up its own.
  if (control === undefined || control.kind === 'container') {
    for (const lane of node.group?.allLanes() ?? []) for (const child of [...lane.nodes]) run.remove(child);
    delete node.group;
  }
  const { children, directory } = node.record.memo ?? {};
  run.update(node, {
    memo: {
      ...(children === undefined ? {} : { children, restarting: true }),
      // Somebody may still have the folder of the run before: a name is never used for a second one.
      ...(directory === undefined ? {} : { earlierFolders: earlierFolders(node) + 1 }),
    },
  });
  run.move(node, 'RESTARTED');
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    run.move(owner, 'RUNNING');
    if (owner.group) run.dirty.add(owner.group);
  }
}

/** Takes an execution that had ended back to work. */
export function reopen(run: Run): void {
  run.forgetEnd();
  run.updateExecution({
    attemptNumber: run.execution.attemptNumber + 1,
    labels: mergeLabels(run.execution.labels, [{ key: 'system.restarted', value: 'true' }]),
  });
  run.moveExecution('RESTARTED');
}
