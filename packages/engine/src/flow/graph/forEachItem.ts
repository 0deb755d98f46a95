import type { Task } from '@millrace/contract';

/** The three inner tasks by which a ForEachItem is shown; only the middle one calls the subflow. */
export function forEachItemParts(task: Task): Task[] {
  const part = (name: string): Task => ({ id: `${task.id}_${name}`, type: task.type });
  const { namespace, flowId, revision } = task;
  const items = { ...part('items'), namespace, flowId, ...(revision !== undefined && { revision }) };
  return [part('split'), items, part('merge')];
}
