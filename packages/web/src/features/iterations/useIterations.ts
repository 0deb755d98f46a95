import type { Execution } from '@millrace/contract';
import { useMemo } from 'react';
import {
  type FoldedRuns,
  foldRuns,
  type Iteration,
  iterationsAround,
  type Loop,
  type OpenIterations,
  runsInView,
} from './foldRuns.ts';

/** What a tab shows of the loops of an execution. */
export interface Iterations {
  readonly folded: FoldedRuns;
  readonly open: OpenIterations;
  /** The execution without the other iterations of its open loops. */
  readonly shown: Execution;
  /** The innermost open iteration. */
  readonly current: { readonly loop: Loop; readonly iteration: Iteration } | undefined;
}

/**
 * Folds the loops of an execution. The iteration around the first task run is open, and the one around the
 * selected task run where a view can show only one.
 */
export function useIterations(
  execution: Execution,
  iterationId: string | undefined,
  selectedId?: string | undefined,
): Iterations {
  const folded = useMemo(() => foldRuns(execution.taskRunList ?? []), [execution.taskRunList]);
  return useMemo(() => {
    const open = iterationsAround(folded, iterationId, selectedId);
    const shown = { ...execution, taskRunList: [...runsInView(folded, open)] };
    return { folded, open, shown, current: currentOf(folded, open) };
  }, [execution, folded, iterationId, selectedId]);
}

function currentOf({ loops, runs }: FoldedRuns, open: OpenIterations): Iterations['current'] {
  // Task runs stand in the order of their creation, so the last open loop is inside the others.
  const run = open.size === 0 ? undefined : runs.findLast(({ id }) => open.has(id));
  const loop = run && loops.get(run.id);
  const iteration = loop?.iterations.find(({ value }) => value === open.get(loop.run.id));
  return loop && iteration && { loop, iteration };
}
