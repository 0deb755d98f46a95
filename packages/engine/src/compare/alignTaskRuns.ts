import type { TaskRun } from '@millrace/contract';

/** The same place in two executions: both task runs, or the one that only one side has. */
export interface AlignedRuns {
  /** Names the place in both executions: `each/load[eu]`; `#2` for the second run of the same task there. */
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly depth: number;
  /** The position of the control task around it; absent at the root of the flow. */
  readonly parent?: number;
  readonly left?: TaskRun;
  readonly right?: TaskRun;
}

interface Pair {
  readonly left?: TaskRun;
  readonly right?: TaskRun;
}

/**
 * Pairs the task runs of two executions by their path: task id, loop value and iteration, below the same
 * parents. Parents come before their children; siblings keep the order in which they were created.
 */
export function alignTaskRuns(left: readonly TaskRun[], right: readonly TaskRun[]): AlignedRuns[] {
  const [leftChildren, rightChildren] = [childrenByParent(left), childrenByParent(right)];
  const aligned: AlignedRuns[] = [];
  const visit = (pairs: readonly Pair[], above: { path: string; depth: number; parent?: number }) => {
    const used = new Map<string, number>();
    for (const pair of pairs) {
      const run = pair.left ?? pair.right;
      if (!run) continue;
      const path = uniquePath(`${above.path}${nameOf(run)}`, used);
      const name = path.slice(above.path.length);
      const { depth, parent } = above;
      const place = parent === undefined ? { path, name, depth } : { path, name, depth, parent };
      const index = aligned.push({ ...place, ...pair }) - 1;
      const below = pairSiblings(
        (pair.left && leftChildren.get(pair.left.id)) ?? none,
        (pair.right && rightChildren.get(pair.right.id)) ?? none,
      );
      if (below.length > 0) visit(below, { path: `${path}/`, depth: above.depth + 1, parent: index });
    }
  };
  visit(pairSiblings(leftChildren.get('') ?? [], rightChildren.get('') ?? []), { path: '', depth: 0 });
  return aligned;
}

const none: readonly TaskRun[] = [];

const nameOf = ({ taskId, value, iteration }: TaskRun): string => {
  if (value !== undefined) return `${taskId}[${value}]`;
  return iteration === undefined ? taskId : `${taskId}[${iteration}]`;
};

function uniquePath(path: string, used: Map<string, number>): string {
  const count = (used.get(path) ?? 0) + 1;
  used.set(path, count);
  return count === 1 ? path : `${path}#${count}`;
}

/** A run whose parent is not in the list, because the list is cut, counts as a root. */
function childrenByParent(runs: readonly TaskRun[]): Map<string, TaskRun[]> {
  const ids = new Set(runs.map(({ id }) => id));
  const children = new Map<string, TaskRun[]>();
  for (const run of runs) {
    const { parentTaskRunId } = run;
    const parent = parentTaskRunId !== undefined && ids.has(parentTaskRunId) ? parentTaskRunId : '';
    const siblings = children.get(parent);
    if (siblings) siblings.push(run);
    else children.set(parent, [run]);
  }
  return children;
}

/**
 * Loop values decide first, so that a value that is new or gone moves no other. The rest is paired by its
 * iteration, because values such as file addresses differ in every execution.
 */
function pairSiblings(left: readonly TaskRun[], right: readonly TaskRun[]): Pair[] {
  // Most task runs have no others inside.
  if (left.length === 0 && right.length === 0) return [];
  const partners = new Map<TaskRun, TaskRun>();
  const pairBy = (keyOf: (run: TaskRun) => string | undefined) => {
    const taken = new Set(partners.values());
    const free = new Map<string, TaskRun[]>();
    for (const run of right) {
      const key = taken.has(run) ? undefined : keyOf(run);
      if (key === undefined) continue;
      const runs = free.get(key);
      if (runs) runs.push(run);
      else free.set(key, [run]);
    }
    for (const runs of free.values()) runs.reverse();
    for (const run of left) {
      const key = partners.has(run) ? undefined : keyOf(run);
      const partner = key === undefined ? undefined : free.get(key)?.pop();
      if (partner) partners.set(run, partner);
    }
  };
  // A task id has no spaces, so no two keys of different tasks are the same.
  pairBy(({ taskId, value, iteration }) =>
    value === undefined ? `${taskId} ${iteration ?? ''}` : `${taskId} = ${value}`,
  );
  if (partners.size < Math.min(left.length, right.length))
    pairBy(({ taskId, iteration }) => (iteration === undefined ? undefined : `${taskId} ${iteration}`));
  return mergeOrders(left, right, partners);
}

/** Runs of the right side alone stand before the pair that follows them there. */
function mergeOrders(
  left: readonly TaskRun[],
  right: readonly TaskRun[],
  partners: ReadonlyMap<TaskRun, TaskRun>,
): Pair[] {
  const positions = new Map(right.map((run, index) => [run, index]));
  const paired = new Set(partners.values());
  const merged: Pair[] = [];
  let next = 0;
  const addOnlyRight = (end: number) => {
    for (; next < end; next++) {
      const run = right[next];
      if (run && !paired.has(run)) merged.push({ right: run });
    }
  };
  for (const run of left) {
    const partner = partners.get(run);
    if (partner) addOnlyRight(positions.get(partner) ?? 0);
    merged.push(partner ? { left: run, right: partner } : { left: run });
  }
  addOnlyRight(right.length);
  return merged;
}
