import type { Execution, GraphNode, StateType, TaskRun } from '@millrace/contract';
import { type OpenTime, openTime } from '../../format/openTime.ts';
import { countStates, type FoldedRuns, type StateCounts } from '../iterations/index.ts';

export interface RunSummary {
  readonly state: StateType;
  /** How many runs are in each state; one entry for a single run. */
  readonly counts: StateCounts;
  /** Of a loop with several iterations: how many are in each state. */
  readonly iterations?: StateCounts;
  readonly time: OpenTime;
  /** No run of it ran in this execution. */
  readonly isCopied: boolean;
}

export type RunsByTask = ReadonlyMap<string, readonly TaskRun[]>;

export function groupRuns(execution: Execution | undefined): RunsByTask {
  const runs = new Map<string, TaskRun[]>();
  for (const run of execution?.taskRunList ?? []) {
    const known = runs.get(run.taskId);
    if (known) known.push(run);
    else runs.set(run.taskId, [run]);
  }
  return runs;
}

/** The result of one node: of its iteration where the graph shows iterations, otherwise of all its runs. */
export function summarizeRuns(
  node: GraphNode,
  runs: RunsByTask,
  loops: FoldedRuns['loops'] = new Map(),
): RunSummary | undefined {
  const all = runs.get(node.task?.id ?? '') ?? [];
  const value = node.values?.at(-1);
  const own = value === undefined ? all : all.filter((run) => run.value === value);
  const shown = own.length > 0 ? own : node.taskRun ? [node.taskRun] : [];
  if (shown.length === 0) return undefined;
  const counts = countStates(shown.map((run) => run.state.current));
  const iterations = shown.flatMap(({ id }) => loops.get(id)?.iterations ?? []);
  return {
    state: counts[0]![0],
    counts,
    ...(iterations.length > 1 && { iterations: countStates(iterations.map(({ state }) => state)) }),
    time: openTime(...shown.map((run) => run.state)),
    isCopied: shown.every((run) => run.copied),
  };
}
