import { isTerminal, type StateType, type Task } from '@millrace/contract';
import type { Lane, Node } from './node.ts';
import type { Run } from './run.ts';

/** The state of a parent from the runs of its main list; the accompanying branches do not count. */
export function stateFrom(lane: Lane): StateType {
  if (hasLostFolder(lane)) return 'FAILED';
  if (lane.count('KILLED') > 0) return 'KILLED';
  if (lane.count('FAILED') > 0) return 'FAILED';
  if (lane.count('WARNING') > 0) return 'WARNING';
  return 'SUCCESS';
}

/** A WorkingDirectory can fail by itself, before or after its children. */
export const hasLostFolder = ({ group }: Lane): boolean => group.owner?.record.memo?.folderFailed === true;

/** A failure the author allowed is a warning, a warning the author allowed is a success. */
export function tolerated(task: Task, state: StateType): StateType {
  const afterFailure = state === 'FAILED' && task.allowFailure === true ? 'WARNING' : state;
  return afterFailure === 'WARNING' && task.allowWarning === true ? 'SUCCESS' : afterFailure;
}

/** True for a task run that failed, although `allowFailure` shows it as WARNING or SUCCESS. */
export function isAllowedFailure({ record: { state, memo, attempts } }: Node): boolean {
  if (state.current !== 'WARNING' && state.current !== 'SUCCESS') return false;
  // Rows of earlier releases have no memo of it, only the failed attempt.
  return memo?.allowedFailure === true || attempts.at(-1)?.state.current === 'FAILED';
}

/** The memo of a run that no longer counts as an allowed failure. */
export function withoutFailure(memo: Node['record']['memo']): Node['record']['memo'] {
  if (memo?.allowedFailure === undefined) return memo;
  const { allowedFailure: _, ...kept } = memo;
  return kept;
}

/** Ends a task run. A killed run also kills its ancestors, because they can no longer complete. */
export function endNode(run: Run, node: Node, state: StateType): void {
  if (isTerminal(node.record.state.current)) return;
  const shown = tolerated(node.task, state);
  if (state === 'FAILED' && shown !== 'FAILED') run.remember(node, { allowedFailure: true });
  run.move(node, shown);
  if (state !== 'KILLED') return;
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    if (!isTerminal(owner.record.state.current)) run.move(owner, 'KILLED');
  }
}
