import { isTerminal } from '@millrace/contract';
import { withoutFailure } from './end.ts';
import { isWithWorker } from './interrupt.ts';
import type { Branch, Node } from './node.ts';
import type { Run } from './run.ts';

/** In the order in which they run. */
const branches: readonly Branch[] = ['tasks', 'errors', 'finally', 'listeners', 'afterExecution'];

/** Removes the runs of later lists (errors, finally and the rest), which run again after this one. */
export function takeBackAfter(run: Run, node: Node): void {
  for (let at: Node | undefined = node; at; at = at.lane.group.owner) {
    const { branch, group } = at.lane;
    for (const later of branches.slice(branches.indexOf(branch) + 1)) {
      for (const taskRun of [...group.lane(later).nodes]) discard(run, taskRun);
    }
  }
}

/** Reopens the control tasks around a run that is reopened. */
export function reopenAncestors(run: Run, node: Node): void {
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) continueAtWork(run, owner);
}

/** Sets a control task to RUNNING and drops the wake-up that it waited for. */
export function continueAtWork(run: Run, node: Node): void {
  const { memo } = node.record;
  const hadEnded = isTerminal(node.record.state.current);
  if (hadEnded || memo?.wakeAt !== undefined) run.update(node, { memo: withoutIteration(memo) });
  // The folder of an ended task no longer exists, whatever its phase was.
  if (hadEnded && memo?.directory !== undefined) run.remember(node, { directory: 'closed' });
  run.move(node, 'RUNNING');
  if (node.group) run.dirty.add(node.group);
}

/** Ends everything below a run that a user has ended. */
export function endBelow(run: Run, node: Node): void {
  for (const child of childrenOf(node)) {
    endBelow(run, child);
    if (isTerminal(child.record.state.current)) continue;
    interrupt(run, child);
    run.move(child, 'KILLED');
  }
}

/** Drops the condition of a loop, which is evaluated again because its iteration has not ended yet. */
function withoutIteration(memo: Node['record']['memo']): Readonly<Record<string, unknown>> {
  const { wakeAt: _, ...kept } = withoutFailure(memo) ?? {};
  return Object.fromEntries(Object.entries(kept).filter(([key]) => !key.startsWith('condition#')));
}

function discard(run: Run, node: Node): void {
  interruptWithin(run, node);
  run.remove(node);
}

function interruptWithin(run: Run, node: Node): void {
  for (const child of childrenOf(node)) interruptWithin(run, child);
  interrupt(run, node);
}

/** In the order of creation across all lists, so that a reloaded execution does the same. */
const childrenOf = (node: Node): readonly Node[] =>
  [...(node.group?.allLanes() ?? [])]
    .flatMap((lane) => [...lane.nodes])
    .sort((a, b) => a.record.order - b.record.order);

function interrupt(run: Run, node: Node): void {
  if (isWithWorker(run, node)) run.emit({ effect: 'interrupt', taskRunIds: [node.record.id] });
}
