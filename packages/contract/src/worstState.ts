import type { StateType } from './state.ts';

/** The states by how much attention they need. */
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

const ranks: ReadonlyMap<StateType, number> = new Map(worstFirst.map((state, rank) => [state, rank]));

/** Sorts the state that needs attention first to the front. */
export const byAttention = (a: StateType, b: StateType): number => ranks.get(a)! - ranks.get(b)!;

/** The state that stands for several; undefined for none. */
export function worstState(states: Iterable<StateType>): StateType | undefined {
  let worst: StateType | undefined;
  for (const state of states) if (worst === undefined || byAttention(state, worst) < 0) worst = state;
  return worst;
}
