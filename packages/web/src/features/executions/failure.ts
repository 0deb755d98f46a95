import type { Execution, TaskRun } from '@millrace/contract';

/**
 * The task run where an execution failed: among the failed ones, the first that has no failed child, because a
 * parent fails only through its children.
 */
export function findFailure({ taskRunList = [] }: Execution): TaskRun | undefined {
  const failed = taskRunList.filter((run) => run.state.current === 'FAILED');
  const parents = new Set(failed.map((run) => run.parentTaskRunId));
  return failed.find((run) => !parents.has(run.id));
}

/** Task runs without children of their own: the ones that do the work. */
export function leafRuns({ taskRunList = [] }: Execution): TaskRun[] {
  const parents = new Set(taskRunList.map((run) => run.parentTaskRunId));
  return taskRunList.filter((run) => !parents.has(run.id));
}
