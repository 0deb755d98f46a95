import { byAttention, type StateType, type TaskRun, worstState } from '@millrace/contract';

/** How many of each state, the state that needs attention first. */
export type StateCounts = readonly (readonly [state: StateType, count: number])[];

/** The task runs of one value of a loop. */
export interface Iteration {
  /** The id of its first task run: it names the iteration in an address. */
  readonly id: string;
  readonly value: string;
  /** Counted from 1. */
  readonly number: number;
  readonly state: StateType;
  /** Only those directly below the loop. */
  readonly runs: readonly TaskRun[];
}

export interface Loop {
  readonly run: TaskRun;
  readonly iterations: readonly Iteration[];
  readonly counts: StateCounts;
}

/** The value that is open in each loop, by the task run of the loop. A loop that is not listed is folded. */
export type OpenIterations = ReadonlyMap<string, string>;

export interface FoldedRuns {
  readonly runs: readonly TaskRun[];
  readonly byId: ReadonlyMap<string, TaskRun>;
  /** By the id of the loop's task run. */
  readonly loops: ReadonlyMap<string, Loop>;
}

/** A loop of at most this many iterations is listed task run by task run. */
const listedIterations = 10;

/** Finds the loops among the task runs of an execution: the runs whose children have a value. */
export function foldRuns(runs: readonly TaskRun[]): FoldedRuns {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const runsOf = new Map<TaskRun, Map<string, TaskRun[]>>();
  for (const run of runs) {
    const parent = byId.get(run.parentTaskRunId ?? '');
    if (!parent || run.value === undefined) continue;
    let values = runsOf.get(parent);
    if (!values) {
      values = new Map();
      runsOf.set(parent, values);
    }
    const known = values.get(run.value);
    if (known) known.push(run);
    else values.set(run.value, [run]);
  }
  const loops = new Map([...runsOf].map(([run, values]) => [run.id, loopOf(run, values)]));
  return { runs, byId, loops };
}

function loopOf(run: TaskRun, values: ReadonlyMap<string, readonly TaskRun[]>): Loop {
  const iterations = [...values]
    .map(([value, runs], index) => ({
      id: runs[0]!.id,
      value,
      number: (runs[0]!.iteration ?? index) + 1,
      state: runs.length === 1 ? runs[0]!.state.current : worstState(runs.map(({ state }) => state.current))!,
      runs,
    }))
    .sort((a, b) => a.number - b.number);
  return { run, iterations, counts: countStates(iterations.map(({ state }) => state)) };
}

export function countStates(states: Iterable<StateType>): StateCounts {
  const counts = new Map<StateType, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => byAttention(a, b));
}

/**
 * The iterations around a task run, one per loop. Given several task runs, a later one wins where two lie in
 * different iterations of a loop.
 */
export function iterationsAround(
  { byId, loops }: FoldedRuns,
  ...taskRunIds: readonly (string | undefined)[]
): OpenIterations {
  const open = new Map<string, string>();
  for (const id of taskRunIds) {
    for (let run = byId.get(id ?? ''); run; run = byId.get(run.parentTaskRunId ?? '')) {
      const loop = loops.get(run.parentTaskRunId ?? '');
      if (loop && run.value !== undefined) open.set(loop.run.id, run.value);
    }
  }
  return open;
}

/** The task runs without those of the other iterations of an open loop, in the same order. */
export function runsInView({ runs, byId }: FoldedRuns, open: OpenIterations): readonly TaskRun[] {
  if (open.size === 0) return runs;
  const known = new Map<string, boolean>();
  const isShown = (run: TaskRun): boolean => {
    let shown = known.get(run.id);
    if (shown === undefined) {
      const parent = byId.get(run.parentTaskRunId ?? '');
      const value = parent && open.get(parent.id);
      shown = !parent || (isShown(parent) && (value === undefined || (run.value ?? value) === value));
      known.set(run.id, shown);
    }
    return shown;
  };
  return runs.filter(isShown);
}

/** The loops whose iterations are hidden until one of them is opened: those with many. */
export const foldedLoops = ({ loops }: FoldedRuns, open: OpenIterations): ReadonlySet<string> =>
  new Set(
    [...loops.values()]
      .filter(({ run, iterations }) => iterations.length > listedIterations && !open.has(run.id))
      .map(({ run }) => run.id),
  );

export interface IterationFilter {
  readonly state?: StateType | undefined;
  readonly text?: string | undefined;
}

/** The iterations in this state whose value or number contains the text, in any case. */
export function filterIterations(loop: Loop, { state, text }: IterationFilter): readonly Iteration[] {
  const wanted = text?.trim().toLowerCase() ?? '';
  return loop.iterations.filter(
    (iteration) =>
      (state === undefined || iteration.state === state) &&
      (wanted === '' || iteration.value.toLowerCase().includes(wanted) || `#${iteration.number}` === wanted),
  );
}
