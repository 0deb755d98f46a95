import type { Flow, Task, TestedBranch } from '@millrace/contract';
import type { DryRunResult, DryTaskRun } from '../dryRun/types.ts';
import { childLists, placedTasks } from '../flow/children.ts';
import { controlTypeOf } from '../flow/controlType.ts';

/** All branches of a flow and which of them at least one of these runs took. */
export function coverageOf(
  flow: Flow,
  runs: readonly Pick<DryRunResult, 'taskRuns'>[],
): readonly TestedBranch[] {
  const byTask = new Map<string, DryTaskRun[]>();
  for (const taskRun of runs.flatMap(({ taskRuns }) => taskRuns)) {
    const known = byTask.get(taskRun.taskId);
    if (known) known.push(taskRun);
    else byTask.set(taskRun.taskId, [taskRun]);
  }
  return placedTasks(flow).flatMap(({ task }) =>
    task.disabled === true ? [] : branchesOf(task, byTask.get(task.id) ?? []),
  );
}

/** The branches of several suites together: covered when one of them covers it. */
export function mergeCoverage(all: readonly (readonly TestedBranch[])[]): readonly TestedBranch[] {
  const merged = new Map<string, TestedBranch>();
  for (const branch of all.flat()) {
    const key = `${branch.taskId} ${branch.branch}`;
    if (branch.isCovered || !merged.has(key)) merged.set(key, branch);
  }
  return [...merged.values()];
}

function branchesOf(task: Task, runs: readonly DryTaskRun[]): TestedBranch[] {
  const didRun = (run: DryTaskRun) => run.state !== 'SKIPPED';
  const branch = (name: string, isTaken: (run: DryTaskRun) => boolean): TestedBranch => ({
    taskId: task.id,
    branch: name,
    isCovered: runs.some(isTaken),
  });
  const isConditional = task.runIf !== undefined && task.runIf !== true && task.runIf !== 'true';
  const own = isConditional
    ? [branch('run', didRun), branch('skip', (run) => !didRun(run))]
    : [branch('task', didRun)];
  switch (controlTypeOf(task.type)) {
    case 'core.flow.If':
      return [
        ...own,
        branch('then', ({ outputs }) => outputs?.evaluationResult === true),
        branch('else', ({ outputs }) => outputs?.evaluationResult === false),
      ];
    case 'core.flow.Switch':
      return [
        ...own,
        ...childLists(task)
          .filter((list) => list.branch.startsWith('cases.'))
          .map((list) =>
            branch(list.branch, ({ outputs }) => `cases.${String(outputs?.value)}` === list.branch),
          ),
        branch('defaults', ({ outputs }) => outputs?.defaults === true),
      ];
    default:
      return own;
  }
}
