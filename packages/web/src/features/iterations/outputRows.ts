import type { TaskRun } from '@millrace/contract';
import { foldedLoops } from './foldRuns.ts';
import { orderRuns, pathTo } from './runTree.ts';
import type { Iterations } from './useIterations.ts';

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
