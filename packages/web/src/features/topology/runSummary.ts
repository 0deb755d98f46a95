import type { Execution, GraphNode, StateType, TaskRun } from '@millrace/contract';
import { type OpenTime, openTime } from '../../format/openTime.ts';

export interface RunSummary {
  readonly state: StateType;
  readonly count: number;
  readonly time: OpenTime;
  /** No run of it ran in this execution. */
  readonly isCopied: boolean;
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
  if (shown.length === 0) return undefined;
  const worst = shown.reduce((a, b) => (rankOf.get(b.state.current)! < rankOf.get(a.state.current)! ? b : a));
  return {
    state: worst.state.current,
    count: shown.length,
    time: openTime(...shown.map((run) => run.state)),
    isCopied: shown.every((run) => run.copied),
  };
}
