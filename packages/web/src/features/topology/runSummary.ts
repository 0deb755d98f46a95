import type { Execution, GraphNode, StateType, TaskRun } from '@millrace/contract';

export interface RunSummary {
  readonly state: StateType;
  readonly count: number;
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** The state that asks for attention first wins when a task ran several times. */
const worstFirst: readonly StateType[] = [
  'FAILED',
  'KILLING',
  'KILLED',
  'WARNING',
  'BREAKPOINT',
  'PAUSED',
  'RUNNING',
  'RETRYING',
  'RESTARTED',
  'QUEUED',
  'SUBMITTED',
  'RESUBMITTED',
  'CREATED',
  'CANCELLED',
  'RETRIED',
  'SUCCESS',
  'SKIPPED',
];
const rankOf = new Map(worstFirst.map((state, rank) => [state, rank]));

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

/** What became of one node: of its own iteration where the graph shows iterations, else of all its runs. */
export function summarizeRuns(node: GraphNode, runs: RunsByTask): RunSummary | undefined {
  const all = runs.get(node.task?.id ?? '') ?? [];
  const value = node.values?.at(-1);
  const own = value === undefined ? all : all.filter((run) => run.value === value);
  const shown = own.length > 0 ? own : node.taskRun ? [node.taskRun] : [];
  const first = shown[0];
  if (!first) return undefined;
  const worst = shown.reduce((a, b) => (rankOf.get(b.state.current)! < rankOf.get(a.state.current)! ? b : a));
  const startedAt = shown.reduce(
    (min, run) => (run.state.startDate < min ? run.state.startDate : min),
    first.state.startDate,
  );
  const ends = shown.map((run) => run.state.endDate);
  const endedAt = ends.every((end) => end !== undefined) ? ends.toSorted().at(-1) : undefined;
  return {
    state: worst.state.current,
    count: shown.length,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
  };
}
