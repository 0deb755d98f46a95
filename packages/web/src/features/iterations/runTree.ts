import type { TaskRun } from '@millrace/contract';

export interface RunRow {
  readonly run: TaskRun;
  /** 0 for a task run without parent. */
  readonly depth: number;
  readonly childCount: number;
}

/**
 * Task runs in tree order: each under the task run that contains it, siblings by the time they were created.
 * A run whose parent is not in the list stands at the top.
 */
export function orderRuns(runs: readonly TaskRun[]): RunRow[] {
  const known = new Set(runs.map((run) => run.id));
  const childrenOf = new Map<string, TaskRun[]>();
  for (const run of runs) {
    const parent =
      run.parentTaskRunId !== undefined && known.has(run.parentTaskRunId) ? run.parentTaskRunId : '';
    const siblings = childrenOf.get(parent);
    if (siblings) siblings.push(run);
    else childrenOf.set(parent, [run]);
  }
  for (const siblings of childrenOf.values()) siblings.sort(byStart);

  const rows: RunRow[] = [];
  const stack = (childrenOf.get('') ?? []).map((run) => ({ run, depth: 0 })).reverse();
  while (stack.length > 0) {
    const { run, depth } = stack.pop()!;
    const children = childrenOf.get(run.id) ?? [];
    rows.push({ run, depth, childCount: children.length });
    for (const child of children.toReversed()) stack.push({ run: child, depth: depth + 1 });
  }
  return rows;
}

// The sort is stable, so runs created in the same millisecond keep the order of the list.
const byStart = (a: TaskRun, b: TaskRun): number =>
  a.state.startDate < b.state.startDate ? -1 : a.state.startDate > b.state.startDate ? 1 : 0;

/** Leaves out the rows inside a collapsed row, except those to keep. */
export function visibleRows(
  rows: readonly RunRow[],
  collapsed: ReadonlySet<string>,
  kept: ReadonlySet<string> = new Set(),
): readonly RunRow[] {
  if (collapsed.size === 0) return rows;
  let hiddenBelow = Number.POSITIVE_INFINITY;
  return rows.filter((row) => {
    if (row.depth > hiddenBelow) return kept.has(row.run.id);
    hiddenBelow = collapsed.has(row.run.id) ? row.depth : Number.POSITIVE_INFINITY;
    return true;
  });
}

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
