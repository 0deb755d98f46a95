import { type BucketWidth, type Calendar, startOfUnit } from '../statistics/calendar.ts';

const dayMs = 86_400_000;

/** The text of a bucket in charts: its start in local time. */
export function formatUnit(unit: number, width: BucketWidth, calendar: Calendar): string {
  const start = startOfUnit(calendar, unit, width);
  const local = new Date(start + calendar.offsetAt(start)).toISOString();
  switch (width) {
    case 'month':
      return local.slice(0, 7);
    case 'week':
      return weekOf(unit);
    case 'day':
      return local.slice(0, 10);
    case 'hour':
      return `${local.slice(0, 10)} ${local.slice(11, 13)}:00:00`;
    case 'minute':
      return `${local.slice(0, 10)} ${local.slice(11, 16)}:00`;
  }
}

/** ISO 8601: a week belongs to the year of its Thursday, and week 1 contains 4 January. */
function weekOf(monday: number): string {
  const year = new Date((monday + 3) * dayMs).getUTCFullYear();
  const fourth = Date.UTC(year, 0, 4) / dayMs;
  const first = fourth - ((((fourth + 3) % 7) + 7) % 7);
  return `${year}-${String((monday - first) / 7 + 1).padStart(2, '0')}`;
}
