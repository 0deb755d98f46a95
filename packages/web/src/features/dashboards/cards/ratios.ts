import { type DailyExecutionStatistics, isTerminal, type StateType } from '@millrace/contract';

export const successEndStates = ['SUCCESS', 'WARNING', 'CANCELLED'] as const satisfies StateType[];
export const failedEndStates = ['FAILED', 'KILLED', 'RETRIED'] as const satisfies StateType[];

export type Counts = Readonly<Record<string, number>>;

/** How many executions were in each state over all buckets together. */
export function totalsOf(days: readonly DailyExecutionStatistics[]): Counts {
  const totals: Record<string, number> = {};
  for (const { executionCounts } of days)
    for (const [state, count] of Object.entries(executionCounts))
      totals[state] = (totals[state] ?? 0) + count;
  return totals;
}

interface Ratios {
  ended: number;
  good: number;
  bad: number;
  success: number | undefined;
  failure: number | undefined;
}

/** Shares of all executions that have ended, in percent. A warning counts as success, a retried one as failure. */
export function ratiosOf(counts: Counts): Ratios {
  const ended = sum(
    Object.entries(counts)
      .filter(([state]) => isTerminal(state as StateType))
      .map(([, n]) => n),
  ); // The server's own states.
  const good = sum(successEndStates.map((state) => counts[state] ?? 0));
  const bad = sum(failedEndStates.map((state) => counts[state] ?? 0));
  const shareOf = (part: number) => (ended === 0 ? undefined : (part / ended) * 100);
  return { ended, good, bad, success: shareOf(good), failure: shareOf(bad) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
