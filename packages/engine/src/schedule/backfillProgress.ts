import type { ScheduleDates } from './scheduleDates.ts';

/** How far a backfill is. It is stored with the backfill, so that it survives a restart. */
export interface BackfillProgress {
  readonly total: number;
  /** There are too many dates to count each of them. */
  readonly isEstimate?: true;
  /** Dates that were handled, including those that the conditions exclude. */
  readonly done: number;
  /** Executions that were started. */
  readonly executions: number;
  /** When the last date was handled, or when the backfill started or resumed. */
  readonly movedAt: number;
  /** The usual time between two dates; recent dates count more. Absent before the second date. */
  readonly msPerDate?: number;
}

/** A year of an every-minute schedule is counted in about a second; more dates are extrapolated. */
const maxCounted = 200_000;
/** The weight of the last date in the usual time. */
const weight = 0.2;

export function newProgress(
  dates: ScheduleDates,
  { start, end }: { readonly start: number; readonly end: number },
  now: number,
): BackfillProgress {
  const { count, isEstimate } = countDates(dates, start, end);
  return { total: count, ...(isEstimate && { isEstimate }), done: 0, executions: 0, movedAt: now };
}

/** The dates between two instants, both included. Beyond the limit their number follows from their density. */
export function countDates(
  dates: ScheduleDates,
  start: number,
  end: number,
  limit = maxCounted,
): { readonly count: number; readonly isEstimate?: true } {
  let count = 0;
  let last = start - 1;
  for (let date = dates.after(last); date !== undefined && date <= end; date = dates.after(date)) {
    count += 1;
    last = date;
    if (count >= limit)
      return { count: Math.round((count * (end - start)) / Math.max(1, last - start)), isEstimate: true };
  }
  return { count };
}

/** The progress after one more date. */
export function moveProgress(progress: BackfillProgress, now: number): BackfillProgress {
  const { done, msPerDate, movedAt } = progress;
  // The first date runs at once: the time before it says nothing about the others.
  const sample = done === 0 ? undefined : Math.max(0, now - movedAt);
  const usual =
    sample === undefined || msPerDate === undefined
      ? (sample ?? msPerDate)
      : msPerDate + (sample - msPerDate) * weight;
  return {
    ...progress,
    done: done + 1,
    movedAt: now,
    ...(usual !== undefined && { msPerDate: usual }),
  };
}

/**
 * The expected time until the last date starts; undefined while the pace is unknown. The time since the last
 * date counts only while the backfill moves.
 */
export function remainingMs(
  { total, done, msPerDate, movedAt }: BackfillProgress,
  now: number,
  isMoving: boolean,
): number | undefined {
  if (msPerDate === undefined) return undefined;
  const waited = isMoving ? Math.min(msPerDate, Math.max(0, now - movedAt)) : 0;
  return Math.max(0, Math.round((total - done) * msPerDate - waited));
}
