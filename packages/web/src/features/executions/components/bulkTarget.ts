import type { Execution, StateType } from '@millrace/contract';
import type { Selection } from '../../../ui/index.ts';
import { type ExecutionAction, statesAllowing } from './executionActions.ts';

/** What a bulk call is about: executions by their ids, or whatever a search finds at the moment of the call. */
export type BulkTarget =
  | { readonly kind: 'ids'; readonly ids: readonly string[]; readonly leftAlone: number }
  | { readonly kind: 'query'; readonly filters: Readonly<Record<string, unknown>> };

/** The server refuses an action as a whole when one execution does not allow it, so those are left out beforehand. */
export function bulkTarget(
  selection: Selection<Execution>,
  filters: Readonly<Record<string, unknown>>,
  action: ExecutionAction,
  states: readonly StateType[] = statesAllowing(action),
): BulkTarget {
  if (selection.kind === 'all') return { kind: 'query', filters: narrowToStates(filters, states) };
  const fitting = selection.rows.filter(({ state }) => states.includes(state.current));
  return {
    kind: 'ids',
    ids: fitting.map(({ id }) => id),
    leftAlone: selection.rows.length - fitting.length,
  };
}

/** The same filters, and only these states. Conditions by full name add up, so one that excludes states stays. */
export function narrowToStates(
  { state, ...filters }: Readonly<Record<string, unknown>>,
  states: readonly StateType[],
): Record<string, unknown> {
  const named = filters['filters[state][IN]'];
  const asked = [state, typeof named === 'string' ? named.split(',') : named]
    .flat()
    .filter((one) => one !== undefined);
  const wanted = asked.length === 0 ? states : states.filter((one) => asked.includes(one));
  return { ...filters, 'filters[state][IN]': wanted.join(',') };
}
