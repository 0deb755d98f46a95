import { type CalendarFlow, type CalendarSchedule, maxListedDates } from '@millrace/contract';
import type { ForecastConflict } from '@millrace/engine';
import { addDates } from './forecastAll.ts';
import { type Counts, totalOf } from './pastRuns.ts';
import type { PlannedSchedule } from './plannedRuns.ts';
import type { Spans } from './spans.ts';

export function presentCells(
  cells: Spans,
  counts: ReadonlyMap<number, Counts>,
  schedules: readonly PlannedSchedule[],
  conflicts: readonly ForecastConflict[],
): CalendarFlow['cells'] {
  const plannedIn = new Array<number>(cells.count).fill(0);
  const conflictsIn = new Array<number>(cells.count).fill(0);
  for (const schedule of schedules) addDates(plannedIn, schedule, cells);
  for (const { date } of conflicts) cells.add(conflictsIn, date);
  return cells.starts.flatMap((at, index) => {
    const past = counts.get(at) ?? {};
    const planned = Math.round(plannedIn[index] ?? 0);
    if (planned === 0 && totalOf(past) === 0) return [];
    return [
      {
        at: iso(at),
        ...(totalOf(past) > 0 ? { counts: past } : {}),
        ...(planned > 0 ? { planned } : {}),
        ...(conflictsIn[index] ? { conflicts: conflictsIn[index] } : {}),
      },
    ];
  });
}

export function presentSchedule(
  { trigger, timeZone, dates, coveredUntil, rate, isHeld }: PlannedSchedule,
  to: number,
): CalendarSchedule {
  const everyMs = spacingOf(dates);
  return {
    triggerId: trigger.id,
    timeZone,
    ...(typeof trigger.cron === 'string' ? { cron: trigger.cron } : {}),
    total: dates.length + Math.round(rate * Math.max(0, to - coveredUntil)),
    isEstimate: rate > 0,
    ...(everyMs === undefined ? {} : { everyMs }),
    ...(rate === 0 && dates.length <= maxListedDates ? { dates: dates.map(iso) } : {}),
    isHeld,
  };
}

function spacingOf(dates: readonly number[]): number | undefined {
  const [first, second] = dates;
  if (first === undefined || second === undefined || dates.length < 3) return undefined;
  const spacing = second - first;
  return dates.every((date, index) => index === 0 || date - (dates[index - 1] ?? 0) === spacing)
    ? spacing
    : undefined;
}

export const presentConflict = ({ date, triggerId, reason, outcome, startsAt }: ForecastConflict) => ({
  date: iso(date),
  triggerId,
  reason,
  outcome,
  ...(startsAt === undefined ? {} : { startsAt: iso(startsAt) }),
});

export const iso = (at: number): string => new Date(at).toISOString();
