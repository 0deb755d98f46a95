import type { Execution, ExecutionRecord, TaskRunRecord } from '@millrace/contract';
import { type Changes, presentExecution } from '@millrace/engine';

/** An execution as it was before a step. */
export interface Before {
  readonly execution: ExecutionRecord;
  readonly taskRuns: readonly TaskRunRecord[];
}

/**
 * One view per row that a step has changed, in order: a task run that ends, the next one that is created, the execution
 * that ends. Whoever follows sees them one by one, although they are stored together.
 */
export function viewsOf(before: Before, changes: Changes, now: number): Execution[] {
  const taskRuns = new Map(before.taskRuns.map((taskRun) => [taskRun.id, taskRun]));
  for (const id of changes.removedTaskRunIds) taskRuns.delete(id);
  const views = changes.taskRuns.map((taskRun) => {
    taskRuns.set(taskRun.id, taskRun);
    return presentExecution(before.execution, [...taskRuns.values()], now);
  });
  if (changes.execution) views.push(presentExecution(changes.execution, [...taskRuns.values()], now));
  return views;
}
