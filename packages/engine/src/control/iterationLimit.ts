/** Used where the server sets no other limit. */
export const defaultMaxIterations = 100_000;

/**
 * Refuses a loop that would bring an execution above its limit. Every iteration has task runs that stay in memory and
 * in the answers about the execution, so a mistake in an expression could otherwise take the whole server down.
 */
export function checkIterations(values: number, before: number, limit: number): void {
  if (before + values <= limit) return;
  const others = before === 0 ? '' : ` and the loops before it have ${grouped(before)}`;
  throw new Error(
    `The loop has ${grouped(values)} iterations${others}, but an execution may have at most ${grouped(limit)}. ` +
      'Use fewer values or larger batches, or raise "executions.maxIterations" in the configuration.',
  );
}

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
