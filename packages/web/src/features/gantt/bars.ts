import { type Execution, isTerminal, type State, type StateType, type TaskRun } from '@millrace/contract';
import { openMs, openPeriods, openTime } from '../../format/openTime.ts';

export interface Bar {
  /** `retry` is the delay before another attempt; `lost` is an attempt whose worker was lost. */
  readonly kind: 'waiting' | 'retry' | 'attempt' | 'lost';
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

/** A pale bar while the run waited, then one bar per attempt with the waits between them, or one per open period. */
export function barsOf(run: TaskRun): Bar[] {
  const workAt = firstWorkAt(run.state);
  const bars = run.attempts?.length
    ? [...attemptBars(run.attempts, workAt, run.state), ...waitBars(run.state)].sort(
        (a, b) => a.startMs - b.startMs,
      )
    : periodBars(run.state, workAt);
  const createdMs = Date.parse(run.state.startDate);
  const first = bars[0]!;
  if (first.startMs > createdMs)
    bars.unshift({ kind: 'waiting', state: 'CREATED', startMs: createdMs, endMs: first.startMs });
  return bars;
}

const attemptBars = (
  attempts: NonNullable<TaskRun['attempts']>,
  workAt: number | undefined,
  { histories }: State,
): Bar[] => {
  const killedAt = new Set(histories.filter(({ state }) => state === 'KILLED').map(({ date }) => date));
  return attempts.map(({ state }, index) => ({
    ...barOf(state, index === 0 ? workAt : undefined),
    // A kill ends the task run too. The end of an attempt alone means that its worker was lost.
    ...(state.current === 'KILLED' && !killedAt.has(lastDateTextOf(state)) && { kind: 'lost' as const }),
    ...(attempts.length > 1 && { attempt: index + 1 }),
  }));
};

const waitKinds: Partial<Record<StateType, Bar['kind']>> = {
  RETRYING: 'retry',
  CREATED: 'waiting',
  QUEUED: 'waiting',
  RESTARTED: 'waiting',
};

/** The waits after the first attempt: the delay of a retry, and the time until a worker takes it. */
function waitBars({ histories }: State): Bar[] {
  const startedIndex = histories.findIndex(({ state }) => !waitKinds[state]);
  if (startedIndex < 0) return [];
  return histories.flatMap(({ state, date }, index): Bar[] => {
    const kind = waitKinds[state];
    if (!kind || index < startedIndex) return [];
    const startMs = Date.parse(date);
    const next = histories[index + 1];
    if (!next) return [{ kind, state, startMs }];
    const endMs = Date.parse(next.date);
    return endMs > startMs ? [{ kind, state, startMs, endMs }] : [];
  });
}

/** Runs without attempts are those of control tasks: a restart opens them again. */
function periodBars(state: State, workAt: number | undefined): Bar[] {
  const periods = openPeriods(state);
  return periods.map(({ startMs, endMs }, index) => {
    const isLast = index === periods.length - 1;
    const fromMs = index === 0 ? Math.max(startMs, workAt ?? 0) : startMs;
    // The bar of a pause grows although its duration does not.
    const isOpen = isLast && !isTerminal(state.current);
    return {
      kind: 'attempt',
      state: isLast ? state.current : endStateAt(state, endMs),
      startMs: fromMs,
      ...(endMs !== undefined && !isOpen && { endMs: Math.max(endMs, fromMs) }),
    };
  });
}

const endStateAt = (state: State, endMs: number | undefined): StateType =>
  state.histories.find((entry) => isTerminal(entry.state) && Date.parse(entry.date) === endMs)?.state ??
  state.current;

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
  return lastDateOf(state);
}

/** True while something in the picture still grows. */
export const isGrowing = (execution: Execution): boolean =>
  !isTerminal(execution.state.current) ||
  (execution.taskRunList ?? []).some((run) => !isTerminal(run.state.current));

/**
 * The time that the axis shows: from the first date to the last, or to now while something runs. Copied task runs are
 * left out, because their dates belong to another execution.
 */
export function spanOf(execution: Execution, nowMs: number): Span {
  let startMs = Date.parse(execution.state.startDate);
  let endMs = endOf(execution.state) ?? startMs;
  for (const run of execution.taskRunList ?? []) {
    if (run.copied) continue;
    startMs = Math.min(startMs, Date.parse(run.state.startDate));
    endMs = Math.max(endMs, lastDateOf(run.state));
  }
  if (isGrowing(execution)) endMs = Math.max(endMs, nowMs);
  return { startMs, endMs: Math.max(endMs, startMs + 1) };
}

const lastDateTextOf = (state: State): string =>
  state.endDate ?? state.histories.at(-1)?.date ?? state.startDate;

const lastDateOf = (state: State): number => Date.parse(lastDateTextOf(state));

/** Left edge and width as shares of the axis; an open bar ends at now. */
export function placeBar(bar: Bar, span: Span, nowMs: number): { left: number; width: number } {
  const length = span.endMs - span.startMs;
  const clamp = (ms: number) => Math.min(Math.max((ms - span.startMs) / length, 0), 1);
  const left = clamp(bar.startMs);
  return { left, width: Math.max(clamp(bar.endMs ?? nowMs) - left, 0) };
}

/** How long an execution or a task run was open, up to now. */
export const durationOf = ({ state }: { readonly state: State }, nowMs: number): number =>
  openMs(openTime(state), nowMs);
