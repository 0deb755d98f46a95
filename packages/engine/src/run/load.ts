import { isCreated, type TaskRunRecord } from '@millrace/contract';
import { sequence } from '../control/plan.ts';
import { loadPlan, openGroup } from './dispatch.ts';
import { listenerPlan } from './listeners.ts';
import type { Run } from './run.ts';
import { withSharedStates } from './state.ts';
import { wasResumed } from './waiting.ts';

const unknownType = 'unknown';

/** Rebuilds the tree from stored rows. Earlier decisions are read from the rows, never made again. */
export function load(run: Run, taskRuns: readonly TaskRunRecord[]): void {
  run.root.plan = sequence(run.flow.tasks);
  const listeners = listenerPlan(run);
  if (listeners && listeners !== 'pending') run.root.branches.listeners = listeners;
  for (const record of [...taskRuns].sort((a, b) => a.order - b.order)) attach(run, withSharedStates(record));
}

function attach(run: Run, record: TaskRunRecord): void {
  const owner = record.parentId === undefined ? undefined : run.nodes.get(record.parentId);
  const group = owner ? openGroup(run, owner) : run.root;
  const branch = run.index.branchOf(record.taskId);
  const plan = branch === 'tasks' ? group.plan : group.branches[branch];
  const unit = plan?.find(record.taskId, record.value) ?? 0;
  // Tasks of templates and the inner tasks of a ForEachItem are not in the flow, only in their parent's plan.
  const planned = unit >= 0 && plan && unit < plan.size ? plan.unit(unit).tasks : [];
  const task = planned.find((entry) => entry.id === record.taskId) ?? run.index.task(record.taskId);
  const node = run.attach(
    group.lane(branch),
    record,
    task ?? { id: record.taskId, type: unknownType },
    Math.max(unit, 0),
    true,
  );
  const control = run.index.controlOf(node.task);
  if (control?.kind === 'container' && !isCreated(record.state.current)) loadPlan(run, node, control);
  if (control?.kind === 'waiting' && wasResumed(node)) openGroup(run, node).plan = control.plan(node.task);
}

/** On another revision of the flow: removes runs of tasks that it no longer has, with their children. */
export function dropUnknown(run: Run): void {
  for (const node of [...run.nodes.values()]) {
    if (run.nodes.has(node.record.id) && node.task.type === unknownType && !node.record.dynamic)
      run.remove(node);
  }
}
