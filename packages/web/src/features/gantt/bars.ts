import { type Execution, isTerminal, type State, type StateType, type TaskRun } from '@millrace/contract';

export interface Bar {
  readonly kind: 'waiting' | 'attempt';
  readonly state: StateType;
  readonly startMs: number;
  /** Undefined while it lasts. */
  readonly endMs?: number;
  /** Counted from 1; only where a task run has several. */
  readonly attempt?: number;
}

export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** A pale bar while the run waited for its turn, then one bar per attempt. */
export function barsOf(run: TaskRun): Bar[] {
  const attempts = run.attempts?.length ? run.attempts.map((attempt) => attempt.state) : [run.state];
  const bars = attempts.map((state, index): Bar => {
    const own = barOf(state, index === 0 ? firstWorkAt(run.state) : undefined);
    return attempts.length > 1 ? { ...own, attempt: index + 1 } : own;
  });
  const createdMs = Date.parse(run.state.startDate);
  const first = bars[0]!;
  if (first.startMs > createdMs)
    bars.unshift({ kind: 'waiting', state: 'CREATED', startMs: createdMs, endMs: first.startMs });
  return bars;
}

function barOf(state: State, workAt: number | undefined): Bar {
  const startMs = Math.max(Date.parse(state.startDate), workAt ?? 0);
  const end = endOf(state);
  return {
    kind: 'attempt',
    state: state.current,
    startMs,
    ...(end !== undefined && { endMs: Math.max(end, startMs) }),
  };
}

/** When the first attempt began: a run that is still created or queued has not begun. */
const firstWorkAt = (state: State): number | undefined => {
  const work = state.histories.find((entry) => entry.state !== 'CREATED' && entry.state !== 'QUEUED');
  return work && Date.parse(work.date);
};

function endOf(state: State): number | undefined {
  if (!isTerminal(state.current)) return undefined;
  return Date.parse(state.endDate ?? state.histories.at(-1)?.date ?? state.startDate);
}

/** True while something in the picture still grows. */
export const isGrowing = (execution: Execution): boolean =>
  !isTerminal(execution.state.current) ||
  (execution.taskRunList ?? []).some((run) => !isTerminal(run.state.current));

/** The time that the axis shows: from the first date to the last, or to now while something runs. */
export function spanOf(execution: Execution, nowMs: number): Span {
  let startMs = Date.parse(execution.state.startDate);
  let endMs = endOf(execution.state) ?? startMs;
  for (const run of execution.taskRunList ?? []) {
    startMs = Math.min(startMs, Date.parse(run.state.startDate));
    endMs = Math.max(endMs, lastDateOf(run.state));
  }
  if (isGrowing(execution)) endMs = Math.max(endMs, nowMs);
  return { startMs, endMs: Math.max(endMs, startMs + 1) };
}

const lastDateOf = (state: State): number =>
  Date.parse(state.endDate ?? state.histories.at(-1)?.date ?? state.startDate);

/** Left edge and width as shares of the axis; an open bar ends at now. */
export function placeBar(bar: Bar, span: Span, nowMs: number): { left: number; width: number } {
  const length = span.endMs - span.startMs;
  const clamp = (ms: number) => Math.min(Math.max((ms - span.startMs) / length, 0), 1);
  const left = clamp(bar.startMs);
  return { left, width: Math.max(clamp(bar.endMs ?? nowMs) - left, 0) };
}

/** From creation to the end, or to now. */
export const durationOf = (run: TaskRun, nowMs: number): number =>
  (endOf(run.state) ?? Math.max(nowMs, lastDateOf(run.state))) - Date.parse(run.state.startDate);
