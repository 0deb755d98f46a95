import type { TaskRun } from '@millrace/contract';

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
