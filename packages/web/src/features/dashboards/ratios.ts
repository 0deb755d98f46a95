import { type DailyExecutionStatistics, isTerminal, type StateType } from '@millrace/contract';

export const goodEnds = ['SUCCESS', 'WARNING', 'CANCELLED'] as const satisfies StateType[];
export const badEnds = ['FAILED', 'KILLED', 'RETRIED'] as const satisfies StateType[];

export type Counts = Readonly<Record<string, number>>;

/** How many executions were in each state over all buckets together. */
export function totalsOf(days: readonly DailyExecutionStatistics[]): Counts {
  const totals: Record<string, number> = {};
  for (const { executionCounts } of days)
    for (const [state, count] of Object.entries(executionCounts))
      totals[state] = (totals[state] ?? 0) + count;
  return totals;
}

/** Shares of all executions that have ended, in percent. A warning counts as success, a retried one as failure. */
export function ratiosOf(counts: Counts): { success: number | undefined; failure: number | undefined } {
  const ended = sum(
    Object.entries(counts)
      .filter(([state]) => isTerminal(state as StateType))
      .map(([, n]) => n),
  ); // The server's own states.
  const shareOf = (states: readonly StateType[]) =>
    ended === 0 ? undefined : (sum(states.map((state) => counts[state] ?? 0)) / ended) * 100;
  return { success: shareOf(goodEnds), failure: shareOf(badEnds) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
