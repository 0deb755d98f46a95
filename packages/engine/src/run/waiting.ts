import { isCreated, isTerminal, type StateType } from '@millrace/contract';
import type { ControlContext, Waiting } from '../control/control.ts';
import { exit } from './acting.ts';
import { endNode } from './end.ts';
import { runsAfterwards } from './interrupt.ts';
import { Group, type Node } from './node.ts';
import type { Run } from './run.ts';

/** Starts a Pause, which takes effect once everything else that is due has been started. */
export function startWaiting(run: Run, node: Node, control: Waiting, context: ControlContext): void {
  const at = control.wakeAt(context);
  if (at !== undefined) run.remember(node, { wakeAt: at });
  else if (runsAfterwards(node)) {
    throw new Error(
      'A pause after the end of the execution needs a duration, because no user could resume it.',
    );
  }
  run.pausing.push(node);
}

export function pauseWhenSettled(run: Run): void {
  if (run.pausing.length === 0) return;
  const nodes = run.pausing.splice(0).filter((node) => node.record.state.current === 'RUNNING');
  if (nodes.length === 0 || run.state === 'KILLING') return;
  for (const node of nodes) {
    if (isTerminal(run.state) && !runsAfterwards(node)) {
      run.move(node, 'CANCELLED');
      continue;
    }
    run.move(node, 'PAUSED');
    const at = node.record.memo?.wakeAt;
    run.note({
      type: 'paused',
      taskRunId: node.record.id,
      taskId: node.record.taskId,
      ...(typeof at === 'number' ? { until: at } : {}),
    });
    if (typeof at === 'number')
      run.emit({ effect: 'wake', wake: { reason: 'pause', taskRunId: node.record.id, at } });
  }
  if (run.state === 'RESTARTED') run.moveExecution('RUNNING');
  if (run.state === 'RUNNING' || run.state === 'RETRYING') run.moveExecution('PAUSED');
}

/** Resumes a paused run: starts its children, or ends it when it has none. */
export function continueWaiting(run: Run, node: Node, control: Waiting, inputs: unknown): void {
  if (inputs !== undefined) run.update(node, { outputs: { ...node.record.outputs, onResume: inputs } });
  reopen(run, node);
  const { wakeAt: _, ...memo } = node.record.memo ?? {};
  run.update(node, { memo: { ...memo, resumed: true } });
  run.move(node, 'RUNNING');
  const plan = control.plan(node.task);
  if (plan.size === 0) return endNode(run, node, 'SUCCESS');
  node.group ??= new Group(node, run.index.accompanying(node.task));
  node.group.plan = plan;
  run.dirty.add(node.group);
}

/** True when the children of a Pause may run. Rows of earlier releases have no memo of it, only the history. */
export function wasResumed({ record: { memo, state } }: Node): boolean {
  if (memo?.resumed === true) return true;
  const began = state.histories.findLastIndex((entry) => isCreated(entry.state));
  return state.current !== 'PAUSED' && state.histories.slice(began).some((entry) => entry.state === 'PAUSED');
}

/** The date of a pause has passed and it does not resume: ends the run in the state that its task defines. */
export function endWaiting(run: Run, node: Node, state: StateType): void {
  reopen(run, node);
  if (state === 'CANCELLED') exit(run, node, 'CANCELLED');
  else endNode(run, node, state);
}

/** Resumes the execution unless another run is paused too. */
function reopen(run: Run, node: Node): void {
  if (run.state !== 'PAUSED') return;
  for (const other of run.nodes.values()) {
    if (other !== node && other.record.state.current === 'PAUSED') return;
  }
  run.moveExecution('RESTARTED');
  run.moveExecution('RUNNING');
  run.wakeAll();
}
