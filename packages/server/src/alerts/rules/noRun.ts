/**
 * When the last execution of a scope started too long ago, the date from which it was missing; otherwise
 * undefined. A new or changed rule waits for the whole time before it reports anything.
 */
export function missingSince(
  lastStartAt: number | undefined,
  ruleChangedAt: number,
  forMs: number,
  now: number,
): number | undefined {
  const dueAt = Math.max(lastStartAt ?? 0, ruleChangedAt) + forMs;
  return dueAt <= now ? dueAt : undefined;
}
