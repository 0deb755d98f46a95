import { isTerminal, type State } from '@millrace/contract';

/** A time during which something was open; without an end it still is. */
export interface OpenPeriod {
  readonly startMs: number;
  readonly endMs?: number;
}

/** How long something was open, so that a component can let it tick. */
export interface OpenTime {
  /** Length of the periods that have ended. */
  readonly endedMs: number;
  /** Start of the period that has not. */
  readonly sinceMs?: number;
}

/**
 * The periods between a start and an end, by the rule of the API's `duration`: the time between an end and a restart does
 * not count, a change from one end to another does not move the end, and a pause stands still.
 */
export function openPeriods({ current, histories, startDate }: State): OpenPeriod[] {
  const periods: OpenPeriod[] = [];
  let startMs: number | undefined = Date.parse(startDate);
  for (const { state, date } of histories) {
    if (!isTerminal(state)) startMs ??= Date.parse(date);
    else if (startMs !== undefined) {
      periods.push({ startMs, endMs: Date.parse(date) });
      startMs = undefined;
    }
  }
  if (startMs === undefined) return periods;
  const pausedAt = current === 'PAUSED' ? Date.parse(histories.at(-1)?.date ?? startDate) : undefined;
  return [...periods, { startMs, ...(pausedAt !== undefined && { endMs: pausedAt }) }];
}

/** The time during which at least one of these was open: parallel runs count once. */
export function openTime(...states: readonly State[]): OpenTime {
  const periods = states.flatMap(openPeriods).sort((a, b) => a.startMs - b.startMs);
  let endedMs = 0;
  let coveredMs = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of periods) {
    const fromMs = Math.max(startMs, coveredMs);
    if (endMs === undefined) return { endedMs, sinceMs: fromMs };
    endedMs += Math.max(0, endMs - fromMs);
    coveredMs = Math.max(coveredMs, endMs);
  }
  return { endedMs };
}

export const openMs = ({ endedMs, sinceMs }: OpenTime, nowMs: number): number =>
  endedMs + (sinceMs === undefined ? 0 : Math.max(0, nowMs - sinceMs));
