import { type Execution, isTerminal, type StateType, type TaskRun } from '@millrace/contract';
import { parseDuration } from '../duration.ts';
import { type AlignedRuns, alignTaskRuns } from './alignTaskRuns.ts';
import { diffValues, firstDifference, type IsSameText, isSameValue } from './diffValues.ts';

export type Side = 'left' | 'right';

/** One way in which two task runs at the same place differ. */
export type RunDifference =
  | { readonly kind: 'path'; readonly side: Side }
  | { readonly kind: 'state'; readonly left: StateType; readonly right: StateType }
  | { readonly kind: 'output'; readonly name: string; readonly left?: unknown; readonly right?: unknown }
  | { readonly kind: 'attempts'; readonly left: number; readonly right: number }
  | { readonly kind: 'duration'; readonly slower: Side; readonly factor: number };

export interface ComparedRuns extends AlignedRuns {
  readonly differences: readonly RunDifference[];
}

/** A difference that exists before the first task starts. */
export type StartDifference =
  | { readonly kind: 'flow'; readonly left: string; readonly right: string }
  | { readonly kind: 'revision'; readonly left: number; readonly right: number }
  | { readonly kind: 'input'; readonly name: string; readonly left?: unknown; readonly right?: unknown };

/** A difference that explains what followed; `index` is the position of its task runs. */
export type Divergence =
  | { readonly at: 'start'; readonly difference: StartDifference }
  | { readonly at: 'run'; readonly index: number; readonly difference: RunDifference };

export interface Comparison {
  readonly runs: readonly ComparedRuns[];
  /**
   * The first difference of each kind, in the order in which they arose: the flow, the inputs, then outputs,
   * states and paths of task runs by time. A difference in time alone is listed only when nothing else differs.
   */
  readonly divergences: readonly Divergence[];
  /** How many places differ. */
  readonly different: number;
}

/** Below these, times differ in every execution. */
const notableFactor = 3;
const notableMs = 1_000;

/** Aligns two executions and finds where they began to differ. */
export function compareExecutions(left: Execution, right: Execution): Comparison {
  const runs: readonly ComparedRuns[] = alignTaskRuns(left.taskRunList ?? [], right.taskRunList ?? []).map(
    (aligned) => Object.assign(aligned, { differences: differencesOf(aligned, left.id, right.id) }),
  );
  return {
    runs,
    divergences: [...startDivergences(left, right), ...runDivergences(runs, left, right)],
    different: runs.filter(({ differences }) => differences.length > 0).length,
  };
}

/** Texts that differ only in the ids of their execution or task run, and files, whose names are random. */
export const sameTextIn =
  (left: readonly string[], right: readonly string[]): IsSameText =>
  (a, b) =>
    (isFile(a) && isFile(b)) || withoutIds(a, left) === withoutIds(b, right);

const isFile = (text: string): boolean => /^(millrace|kestra):\/\/\//.test(text);

/** The text with these ids replaced, so that the texts of two executions can be compared. */
export const withoutIds = (text: string, ids: readonly string[]): string =>
  ids.reduce((rest, id) => rest.replaceAll(id, '\u0000'), text);

function differencesOf({ left, right }: AlignedRuns, leftId: string, rightId: string): RunDifference[] {
  if (!left || !right) return [{ kind: 'path', side: left ? 'left' : 'right' }];
  const found: RunDifference[] = [];
  const [before, after] = [left.state.current, right.state.current];
  if (before !== after) found.push({ kind: 'state', left: before, right: after });
  const isSameText = sameTextIn([leftId, left.id], [rightId, right.id]);
  const [a, b] = [left.outputs ?? {}, right.outputs ?? {}];
  if (!isSameValue(a, b, isSameText)) {
    const first = firstDifference(diffValues(a, b, isSameText));
    if (first) {
      const { left: was, right: is } = first.difference;
      found.push({ kind: 'output', name: first.path, left: was, right: is });
    }
  }
  const attempts = { left: left.attempts?.length ?? 0, right: right.attempts?.length ?? 0 };
  if (attempts.left !== attempts.right) found.push({ kind: 'attempts', ...attempts });
  const slower = slowerSide(left, right);
  if (slower) found.push(slower);
  return found;
}

/** The time of a copied run was spent in another execution. */
function slowerSide(left: TaskRun, right: TaskRun): RunDifference | undefined {
  if (left.copied || right.copied || !isTerminal(left.state.current) || !isTerminal(right.state.current))
    return undefined;
  if (isShort(left) && isShort(right)) return undefined;
  const [a, b] = [durationOf(left), durationOf(right)];
  const factor = Math.max(a, b) / Math.max(1, Math.min(a, b));
  if (factor < notableFactor || Math.abs(a - b) < notableMs) return undefined;
  return { kind: 'duration', slower: a > b ? 'left' : 'right', factor };
}

/** Less than a second, without reading the whole duration: most task runs are. */
const isShort = ({ state }: TaskRun): boolean => state.duration.startsWith('PT0');

const durationOf = ({ state }: TaskRun): number => parseDuration(state.duration) ?? 0;

function startDivergences(left: Execution, right: Execution): Divergence[] {
  const found: StartDifference[] = [];
  const [flow, otherFlow] = [`${left.namespace}.${left.flowId}`, `${right.namespace}.${right.flowId}`];
  if (flow !== otherFlow) found.push({ kind: 'flow', left: flow, right: otherFlow });
  else if (left.flowRevision !== right.flowRevision)
    found.push({ kind: 'revision', left: left.flowRevision, right: right.flowRevision });
  const input = firstDifference(
    diffValues(left.inputs ?? {}, right.inputs ?? {}, sameTextIn([left.id], [right.id])),
  );
  if (input) {
    const { left: was, right: is } = input.difference;
    found.push({ kind: 'input', name: input.path, left: was, right: is });
  }
  return found.map((difference) => ({ at: 'start', difference }));
}

/** Kinds that one headline can stand for; what a run took is no cause when something else differs. */
const causes: readonly (readonly RunDifference['kind'][])[] = [['output'], ['state', 'path']];

function runDivergences(runs: readonly ComparedRuns[], left: Execution, right: Execution): Divergence[] {
  const starts = { left: Date.parse(left.state.startDate), right: Date.parse(right.state.startDate) };
  const firstOf = (kinds: readonly RunDifference['kind'][]) => firstIn(runs, kinds, starts);
  const found = causes.flatMap((kinds) => firstOf(kinds) ?? []);
  const first = found.length > 0 ? found : [firstOf(['attempts']) ?? firstOf(['duration']) ?? []].flat();
  return first
    .sort((a, b) => a.time - b.time || a.index - b.index)
    .map(({ index, difference }) => ({ at: 'run', index, difference }));
}

interface Found {
  readonly index: number;
  readonly time: number;
  readonly difference: RunDifference;
}

function firstIn(
  runs: readonly ComparedRuns[],
  kinds: readonly RunDifference['kind'][],
  starts: Readonly<Record<Side, number>>,
): Found | undefined {
  const hasBelow = runsWithDifferenceBelow(runs, kinds);
  let first: Found | undefined;
  for (const [index, run] of runs.entries()) {
    const difference = run.differences.find(({ kind }) => kinds.includes(kind));
    if (!difference || hasBelow.has(index)) continue;
    // The task that was not reached is the cause; those below it follow from it.
    if (difference.kind === 'path' && isPath(runs[run.parent ?? -1])) continue;
    const time = timeOf(run, starts);
    if (!first || time < first.time) first = { index, time, difference };
  }
  return first;
}

const isPath = (run: ComparedRuns | undefined): boolean => run?.differences[0]?.kind === 'path';

/** A control task that both sides have ends as its children do, so a difference below it is the cause. */
function runsWithDifferenceBelow(
  runs: readonly ComparedRuns[],
  kinds: readonly RunDifference['kind'][],
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { differences, parent } of runs) {
    if (!differences.some(({ kind }) => kinds.includes(kind))) continue;
    for (let at = parent; at !== undefined && !found.has(at); at = runs[at]?.parent) {
      if (isPath(runs[at])) break;
      found.add(at);
    }
  }
  return found;
}

/** When the difference arose, from the start of its execution: at the end of a run, or the start of an extra one. */
function timeOf({ left, right }: ComparedRuns, starts: Readonly<Record<Side, number>>): number {
  const offset = (run: TaskRun, side: Side, date: string | undefined) => {
    if (run.copied) return Number.NEGATIVE_INFINITY;
    return date === undefined ? Number.POSITIVE_INFINITY : Date.parse(date) - starts[side];
  };
  if (!left || !right) {
    const run = left ?? right;
    return run ? offset(run, left ? 'left' : 'right', run.state.startDate) : Number.POSITIVE_INFINITY;
  }
  return Math.min(offset(left, 'left', left.state.endDate), offset(right, 'right', right.state.endDate));
}
