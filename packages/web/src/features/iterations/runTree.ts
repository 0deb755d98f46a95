import type { TaskRun } from '@millrace/contract';
import { foldedLoops } from './foldRuns.ts';
import type { Iterations } from './useIterations.ts';

export interface RunRow {
  readonly run: TaskRun;
  /** 0 for a task run without parent. */
  readonly depth: number;
  readonly childCount: number;
}

const none: ReadonlySet<string> = new Set();

/**
 * Task runs in tree order: each under the task run that contains it, siblings by the time they were created.
 * A run whose parent is not in the list stands at the top. Rows inside a collapsed row are left out, except those to
 * keep: a loop of thousands of iterations is one row, and its iterations are not even sorted.
 */
export function orderRuns(
  runs: readonly TaskRun[],
  collapsed: ReadonlySet<string> = none,
  kept: ReadonlySet<string> = none,
): RunRow[] {
  const childrenOf = childrenByParent(runs);
  const rows: RunRow[] = [];
  const visit = (siblings: readonly TaskRun[], depth: number, isHidden: boolean) => {
    const shown = isHidden ? siblings.filter(({ id }) => kept.has(id)) : siblings;
    for (const run of shown.toSorted(byStart)) {
      const children = childrenOf.get(run.id);
      rows.push({ run, depth, childCount: children?.length ?? 0 });
      if (children) visit(children, depth + 1, isHidden || collapsed.has(run.id));
    }
  };
  visit(childrenOf.get('') ?? [], 0, false);
  return rows;
}

/** The task runs by the one around them; '' for those at the top. */
function childrenByParent(runs: readonly TaskRun[]): ReadonlyMap<string, TaskRun[]> {
  // Few task runs have others inside: sets of all ids would cost more than the rest of it.
  const named = new Set<string | undefined>();
  for (const { parentTaskRunId } of runs) named.add(parentTaskRunId);
  const parents = new Set<string>();
  for (const { id } of runs) if (named.has(id)) parents.add(id);
  const childrenOf = new Map<string, TaskRun[]>();
  for (const run of runs) {
    const { parentTaskRunId } = run;
    const parent = parentTaskRunId !== undefined && parents.has(parentTaskRunId) ? parentTaskRunId : '';
    const siblings = childrenOf.get(parent);
    if (siblings) siblings.push(run);
    else childrenOf.set(parent, [run]);
  }
  return childrenOf;
}

// The sort is stable, so runs created in the same millisecond keep the order of the list.
const byStart = (a: TaskRun, b: TaskRun): number =>
  a.state.startDate < b.state.startDate ? -1 : a.state.startDate > b.state.startDate ? 1 : 0;

/** A task run and those around it: the path to keep in sight. */
export function pathTo(byId: ReadonlyMap<string, TaskRun>, id: string | undefined): ReadonlySet<string> {
  const path = new Set<string>();
  for (let run = byId.get(id ?? ''); run; run = byId.get(run.parentTaskRunId ?? '')) path.add(run.id);
  return path;
}

/** The row that contains the given one, or -1. */
export function parentIndex(rows: readonly RunRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let i = index - 1; i >= 0; i -= 1) if (rows[i]!.depth < depth) return i;
  return -1;
}

export interface OutputRow {
  readonly run: TaskRun;
  /** How many listed task runs are around it. */
  readonly indent: number;
  /** A loop that stands for its iterations. */
  readonly isFolded: boolean;
}

export const hasOutputs = ({ outputs }: TaskRun): boolean =>
  outputs !== null && Object.keys(outputs).length > 0;

/**
 * The task runs that have outputs or failed, in tree order: expressions are evaluated where a failure is examined. A
 * folded loop stands for the runs inside it, and an open one is the heading of its iteration. The selected run is
 * listed in any case, so that the selection stays in sight.
 */
export function outputRows({ folded, open, shown }: Iterations, selectedId: string | undefined): OutputRow[] {
  const closed = foldedLoops(folded, open);
  const path = pathTo(folded.byId, selectedId);
  const around: number[] = [];
  const rows: OutputRow[] = [];
  for (const { run, depth } of orderRuns(shown.taskRunList ?? [], closed, path)) {
    while (around.length > 0 && around.at(-1)! >= depth) around.pop();
    const isFolded = closed.has(run.id);
    const isWanted = hasOutputs(run) || run.state.current === 'FAILED' || run.id === selectedId;
    if (!isFolded && !open.has(run.id) && !isWanted) continue;
    rows.push({ run, indent: around.length, isFolded });
    around.push(depth);
  }
  return rows;
}
