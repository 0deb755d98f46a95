/**
 * The state machine's table. A task run or an execution moves only along these arrows; anything else is a bug of
 * the engine and throws, so that a test finds it. Actions of users (restart, mark as …) enter through the moves
 * marked below, after their own preconditions held.
 */
import type {
  Actor,
  AttemptRecord,
  HistoryRecord,
  StateRecord,
  StateType,
  TaskRunRecord,
} from '@millrace/contract';

/** A bug of the engine: no rule allows this move. Never shown as the failure of a task. */
export class IllegalMove extends Error {}

type Moves = Readonly<Partial<Record<StateType, readonly StateType[]>>>;

const ends: readonly StateType[] = [
  'SUCCESS',
  'WARNING',
  'FAILED',
  'KILLED',
  'CANCELLED',
  'RETRIED',
  'SKIPPED',
];

/** Actions may reopen an ended run or execution, or give it another terminal state. */
const reopened: readonly StateType[] = ['RESTARTED', 'RUNNING', 'PAUSED', ...ends];

const taskRunMoves: Moves = {
  // In a replay, a run that was copied starts again: CREATED → RESTARTED.
  CREATED: [
    'RUNNING',
    'RESTARTED',
    'SKIPPED',
    'FAILED',
    'WARNING',
    'SUCCESS',
    'KILLED',
    'CANCELLED',
    'RETRIED',
  ],
  RESTARTED: ['RUNNING', 'SKIPPED', 'FAILED', 'WARNING', 'SUCCESS', 'KILLED', 'CANCELLED', 'RETRIED'],
  // After a lost attempt: RUNNING → CREATED, or RETRYING when the next attempt waits first.
  RUNNING: ['PAUSED', 'KILLING', 'CREATED', 'RETRYING', 'RESTARTED', ...ends],
  PAUSED: ['RUNNING', 'KILLING', 'RESTARTED', ...ends],
  KILLING: ['KILLED', 'FAILED', 'SUCCESS', 'WARNING'],
  RETRYING: ['CREATED', 'KILLED', 'RESTARTED', 'RUNNING', ...ends],
  FAILED: ['RETRYING', ...reopened],
  ...Object.fromEntries(ends.filter((state) => state !== 'FAILED').map((state) => [state, reopened])),
};

const executionMoves: Moves = {
  CREATED: ['RUNNING', 'QUEUED', 'PAUSED', 'RESTARTED', 'KILLING', ...ends],
  QUEUED: ['RUNNING', 'KILLING', 'CANCELLED', 'FAILED'],
  RUNNING: ['PAUSED', 'BREAKPOINT', 'RETRYING', 'RESTARTED', 'KILLING', ...ends],
  RESTARTED: ['RUNNING', 'PAUSED', 'KILLING', ...ends],
  PAUSED: ['RUNNING', 'RESTARTED', 'KILLING', ...ends],
  BREAKPOINT: ['RUNNING', 'RESTARTED', 'KILLING', ...ends],
  RETRYING: ['RUNNING', 'PAUSED', 'BREAKPOINT', 'KILLING', 'RESTARTED', ...ends],
  KILLING: ['KILLED'],
  ...Object.fromEntries(ends.map((state) => [state, reopened])),
};

/**
 * State records never change, and the task runs of a loop take the same steps in the same millisecond. Such records are
 * one object, because a long loop keeps the states of every iteration. Only the latest steps are compared.
 */
interface Step {
  readonly from: StateRecord | undefined;
  readonly record: StateRecord;
  /** The attempts of a task run whose only attempt is in this state. */
  attempts?: readonly AttemptRecord[];
}

const latestSteps: Step[] = [];
/** Two task runs with their attempts take this number of steps. */
const comparedSteps = 12;
let oldestStep = 0;

export const createdState = (now: number): StateRecord => stepFrom(undefined, 'CREATED', now);

/** The state with the user who asked for its last change. */
export const signed = (state: StateRecord, by: Actor): StateRecord => ({
  ...state,
  histories: state.histories.with(-1, { ...state.histories.at(-1)!, by }),
});

export const moveTaskRun = (state: StateRecord, next: StateType, now: number, by?: Actor): StateRecord =>
  move('A task run', taskRunMoves, state, { next, now, by });

export const moveExecution = (state: StateRecord, next: StateType, now: number, by?: Actor): StateRecord =>
  move('An execution', executionMoves, state, { next, now, by });

/** Attempts only go forward, so they need no table. */
export const moveAttempt = (state: StateRecord, next: StateType, now: number): StateRecord =>
  state.current === next ? state : append(state, { next, now, by: undefined });

interface Move {
  readonly next: StateType;
  readonly now: number;
  readonly by: Actor | undefined;
}

function move(subject: string, moves: Moves, state: StateRecord, wanted: Move): StateRecord {
  const { next } = wanted;
  if (state.current === next) return state;
  if (!moves[state.current]?.includes(next)) {
    throw new IllegalMove(`${subject} cannot move from ${state.current} to ${next}.`);
  }
  return append(state, wanted);
}

/** A state is never older than the previous one, even when a clock is behind or was set back. */
function append(state: StateRecord, { next, now, by }: Move): StateRecord {
  const date = Math.max(now, state.histories.at(-1)?.date ?? now);
  if (!by) return stepFrom(state, next, date);
  return { current: next, histories: [...state.histories, { state: next, date, by }] };
}

function stepFrom(from: StateRecord | undefined, next: StateType, date: number): StateRecord {
  let entry: HistoryRecord | undefined;
  for (const { from: before, record } of latestSteps) {
    const last = record.histories.at(-1);
    if (last?.state !== next || last.date !== date) continue;
    if (before === from) return record;
    entry = last;
  }
  entry ??= { state: next, date };
  const record = { current: next, histories: from ? [...from.histories, entry] : [entry] };
  latestSteps[oldestStep] = { from, record };
  oldestStep = (oldestStep + 1) % comparedSteps;
  return record;
}

/** The attempts of a task run that has one, without a log file. */
export function onlyAttempt(state: StateRecord): readonly AttemptRecord[] {
  const step = latestSteps.find(({ record }) => record === state);
  if (!step) return [{ state }];
  step.attempts ??= [{ state }];
  return step.attempts;
}

/** A loaded record, with its states as one object with those of other records. */
export function withSharedStates(record: TaskRunRecord): TaskRunRecord {
  const [attempt, ...more] = record.attempts;
  const isPlain = attempt !== undefined && more.length === 0 && attempt.logFile === undefined;
  const state = sharedState(record.state);
  return isPlain
    ? { ...record, state, attempts: onlyAttempt(sharedState(attempt.state)) }
    : { ...record, state };
}

/** Changes that users asked for are rare, so they are not compared. */
function sharedState(state: StateRecord): StateRecord {
  if (state.histories.some(({ by }) => by)) return state;
  let shared: StateRecord | undefined;
  for (const entry of state.histories) shared = stepFrom(shared, entry.state, entry.date);
  return shared ?? state;
}
