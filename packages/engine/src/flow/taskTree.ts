import type { Flow, GridTask, Task } from '@millrace/contract';
import { childLists, flowLists } from './children.ts';
import { controlTypeOf } from './controlType.ts';
import { forEachItemParts } from './graph/forEachItem.ts';

/** The tasks of a flow in its order, each with its depth, as rows of a table. */
export function taskTree(flow: Flow): GridTask[] {
  const rows: GridTask[] = [];
  const add = (task: Task, depth: number, branch: GridTask['branch']): void => {
    rows.push({ id: task.id, type: task.type, depth, branch });
    for (const { tasks } of childLists(task)) for (const child of tasks) add(child, depth + 1, branch);
    if (controlTypeOf(task.type) !== 'core.flow.ForEachItem') return;
    for (const part of forEachItemParts(task)) add({ ...part, type: '' }, depth + 1, branch);
  };
  for (const { branch, children } of flowLists(flow)) {
    // `as`: `flowLists` names no other branch.
    for (const { task } of children) add(task, 0, branch as GridTask['branch']);
  }
  return rows;
}
