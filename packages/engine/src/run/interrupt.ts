import { isTerminal } from '@millrace/contract';
import { isHeld } from './breakpoint.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';

/** True for a run that a worker, not the engine, will end. */
export const isWithWorker = (run: Run, node: Node): boolean =>
  node.record.state.current === 'RUNNING' && run.index.controlOf(node.task) === undefined;

/** Interrupts all attempts of this execution that workers run. */
export function interruptAll(run: Run): void {
  const taskRunIds = [...run.nodes.values()]
    .filter((node) => isWithWorker(run, node))
    .map((node) => node.record.id);
  if (taskRunIds.length > 0) run.emit({ effect: 'interrupt', taskRunIds });
}

/**
 * After the execution has ended, cancels every task run that waits for something other than a worker or a
 * child execution, so that none stays open forever: pauses, retries, loops between two iterations, empty
 * containers.
 */
export function abandonWaiting(run: Run): void {
  for (const node of [...run.nodes.values()].reverse()) {
    const state = node.record.state.current;
    if (isTerminal(state) || runsAfterwards(node)) continue;
    const control = run.index.controlOf(node.task);
    const isIdleContainer =
      state === 'RUNNING' &&
      (control?.kind === 'container' || control?.kind === 'waiting') &&
      openChildren(node) === 0;
    if (state === 'PAUSED' || state === 'RETRYING' || isIdleContainer || isHeld(run, node))
      run.move(node, 'CANCELLED');
  }
}

export function openChildren(node: Node): number {
  let open = 0;
  for (const lane of node.group?.allLanes() ?? []) open += lane.open;
  return open;
}

export function runsAfterwards(node: Node): boolean {
  let top = node;
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) top = owner;
  return top.lane.branch === 'afterExecution' || top.lane.branch === 'listeners';
}
