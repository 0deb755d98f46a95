import type { Flow, Task, TestedBranch } from '@millrace/contract';
import type { DryRunResult, DryTaskRun } from '../dryRun/types.ts';
import { type ChildList, childLists, flowLists, placedTasks } from '../flow/children.ts';
import { controlTypeOf } from '../flow/controlType.ts';

/** The tasks and the branches of a flow, and which of them at least one of these runs took. */
export function coverageOf(
  flow: Flow,
  runs: readonly Pick<DryRunResult, 'taskRuns'>[],
): readonly TestedBranch[] {
  const byTask = new Map<string, DryTaskRun[]>();
  const entered = new Set<DryTaskRun>();
  for (const { taskRuns } of runs) {
    // The ids of task runs are unique in one run only.
    const byId = new Map(taskRuns.map((taskRun) => [taskRun.id, taskRun]));
    for (const taskRun of taskRuns) {
      const known = byTask.get(taskRun.taskId);
      if (known) known.push(taskRun);
      else byTask.set(taskRun.taskId, [taskRun]);
      const parent = byId.get(taskRun.parentId ?? '');
      if (parent) entered.add(parent);
    }
  }
  const taken: Taken = { runsOf: (id) => byTask.get(id) ?? [], isEntered: (run) => entered.has(run) };
  const handlers = flowLists(flow).find(({ branch }) => branch === 'errors')?.children ?? [];
  return [
    ...enabledTasks(flow).flatMap((task) => branchesOf(task, taken)),
    ...errorBranch(
      '',
      handlers.map(({ task }) => task),
      taken,
    ),
  ];
}

/** How many branches and how many tasks there are, and how many of them are covered. */
export function countCoverage(coverage: readonly TestedBranch[]): Record<'branches' | 'tasks', Count> {
  const count = (entries: readonly TestedBranch[]): Count => ({
    covered: entries.filter(({ isCovered }) => isCovered).length,
    total: entries.length,
  });
  return {
    branches: count(coverage.filter(({ branch }) => branch !== 'task')),
    tasks: count(coverage.filter(({ branch }) => branch === 'task')),
  };
}

interface Count {
  readonly covered: number;
  readonly total: number;
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

/** The tasks that can run: neither they nor a task around them is disabled. */
function enabledTasks(flow: Flow): Task[] {
  const disabled: string[] = [];
  return placedTasks(flow).flatMap(({ task, path }) => {
    const place = `${path.join('/')}/`;
    if (disabled.some((outer) => place.startsWith(outer))) return [];
    if (task.disabled !== true) return [task];
    disabled.push(place);
    return [];
  });
}

interface Taken {
  runsOf(taskId: string): readonly DryTaskRun[];
  /** Whether tasks inside of it ran. */
  isEntered(run: DryTaskRun): boolean;
}

function branchesOf(task: Task, taken: Taken): TestedBranch[] {
  const runs = taken.runsOf(task.id);
  const branch = (name: string, isTaken: (run: DryTaskRun) => boolean): TestedBranch => ({
    taskId: task.id,
    branch: name,
    isCovered: runs.some(isTaken),
  });
  const isConditional = task.runIf !== undefined && task.runIf !== true && task.runIf !== 'true';
  const lists = childLists(task);
  return [
    branch('task', didRun),
    ...(isConditional ? [branch('run', didRun), branch('skip', (run) => !didRun(run))] : []),
    ...choices(task, lists, { branch, taken }),
    ...errorBranch(task.id, lists.find((list) => list.branch === 'errors')?.tasks ?? [], taken),
  ];
}

const didRun = ({ state }: DryTaskRun): boolean => state !== 'SKIPPED';
const didPass = ({ state }: DryTaskRun): boolean => state === 'SUCCESS' || state === 'WARNING';

function choices(
  task: Task,
  lists: readonly ChildList[],
  {
    branch,
    taken,
  }: { branch: (name: string, isTaken: (run: DryTaskRun) => boolean) => TestedBranch; taken: Taken },
): TestedBranch[] {
  switch (controlTypeOf(task.type)) {
    case 'core.flow.If':
      return [
        branch('then', ({ outputs }) => outputs?.evaluationResult === true),
        branch('else', ({ outputs }) => outputs?.evaluationResult === false),
      ];
    case 'core.flow.Switch':
      return [
        ...lists
          .filter((list) => list.branch.startsWith('cases.'))
          .map((list) =>
            branch(list.branch, ({ outputs }) => `cases.${String(outputs?.value)}` === list.branch),
          ),
        branch('defaults', ({ outputs }) => outputs?.defaults === true),
      ];
    case 'core.flow.ForEach':
    case 'core.flow.EachSequential':
    case 'core.flow.EachParallel':
      return [
        branch('loop', taken.isEntered),
        // A loop over no values succeeds without a task; one that failed had no values to loop over.
        branch('empty', (run) => didPass(run) && !taken.isEntered(run)),
      ];
    case 'core.flow.ForEachItem': {
      // The batches run in a stage of the task.
      const hasBatches = taken
        .runsOf(`${task.id}_items`)
        .map(({ outputs }) => Number(outputs?.numberOfBatches) > 0);
      return [
        { taskId: task.id, branch: 'loop', isCovered: hasBatches.includes(true) },
        { taskId: task.id, branch: 'empty', isCovered: hasBatches.includes(false) },
      ];
    }
    case 'core.flow.LoopUntil':
      return [
        branch('repeat', ({ outputs }) => Number(outputs?.iterationCount) > 1),
        branch('done', didPass),
      ];
    default:
      return [];
  }
}

/** The tasks after a failure are a branch of the task, or of the flow, that they belong to. */
function errorBranch(taskId: string, tasks: readonly Task[], taken: Taken): TestedBranch[] {
  const enabled = tasks.filter(({ disabled }) => disabled !== true);
  if (enabled.length === 0) return [];
  return [{ taskId, branch: 'errors', isCovered: enabled.some(({ id }) => taken.runsOf(id).length > 0) }];
}
