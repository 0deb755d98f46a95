/**
 * The state machine's table. A task run or an execution moves only along these arrows; anything else is a bug of
 * the engine and throws, so that a test finds it. Actions of users (restart, mark as …) enter through the moves
 * marked below, after their own preconditions held.
 */
import type { Actor, StateRecord, StateType } from '@millrace/contract';

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

export const createdState = (now: number): StateRecord => ({
  current: 'CREATED',
  histories: [{ state: 'CREATED', date: now }],
});

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
function append({ histories }: StateRecord, { next, now, by }: Move): StateRecord {
  const date = Math.max(now, histories.at(-1)?.date ?? now);
  return { current: next, histories: [...histories, by ? { state: next, date, by } : { state: next, date }] };
}
