import type { CalendarSchedule } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { dateTimeFormat } from '../../format/dateFormats.ts';
import { formatDuration } from '../../format/duration.ts';
import { localToInstant, wallClockOf, zoneOffsetMs } from '../../format/timeZone.ts';

export const calendarViews = ['day', 'week', 'month'] as const;
export type CalendarView = (typeof calendarViews)[number];

/** The days that a view shows, `2026-03-01`, and the instants at which the first one begins and the last one ends. */
export interface Period {
  readonly days: readonly string[];
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;
const atNoon = (day: string): number => Date.parse(`${day}T12:00:00Z`);
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A day that exists, or undefined. */
export const readDay = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && dayAt(atNoon(text)) === text ? text : undefined;

export const todayIn = (timeZone: string, nowMs: number): string => wallClockOf(nowMs, timeZone).slice(0, 10);

export const addDays = (day: string, count: number): string => dayAt(atNoon(day) + count * dayMs);

/** Weeks begin on Monday, as in the statistics. A month is shown in whole weeks. */
export function periodOf(view: CalendarView, day: string, timeZone: string): Period {
  const [first, last] = boundsOf(view, day);
  const count = Math.round((atNoon(last) - atNoon(first)) / dayMs) + 1;
  return {
    days: Array.from({ length: count }, (_, index) => addDays(first, index)),
    from: startOfDay(first, timeZone),
    to: startOfDay(addDays(last, 1), timeZone),
  };
}

export const startOfDay = (day: string, timeZone: string): string =>
  localToInstant(`${day} 00:00:00`, timeZone);

function boundsOf(view: CalendarView, day: string): [string, string] {
  if (view === 'day') return [day, day];
  if (view === 'week') return [mondayOf(day), addDays(mondayOf(day), 6)];
  const [year = 1970, month = 1] = day.split('-').map(Number);
  const last = dayAt(Date.UTC(year, month, 0, 12));
  return [mondayOf(`${day.slice(0, 7)}-01`), addDays(mondayOf(last), 6)];
}

const mondayOf = (day: string): string => addDays(day, -((new Date(atNoon(day)).getUTCDay() + 6) % 7));

/** The same place in the period before or after. */
export function shiftDay(view: CalendarView, day: string, step: 1 | -1): string {
  if (view === 'day') return addDays(day, step);
  if (view === 'week') return addDays(day, 7 * step);
  const [year = 1970, month = 1] = day.split('-').map(Number);
  return dayAt(Date.UTC(year, month - 1 + step, 1, 12));
}

/** Writes the dates of a calendar in its language and time zone. Parts that the page around them says are left out. */
export function writeTimes(locale: string, timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => (iso: string) =>
    dateTimeFormat(locale, { ...options, timeZone }).format(new Date(iso));
  return {
    time: format({ hour: 'numeric', minute: '2-digit' }),
    hour: format({ hour: 'numeric' }),
    dayAndTime: format({
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
    }),
    longDay: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
  };
}
export type Times = ReturnType<typeof writeTimes>;

/** Days are names of the calendar, so no time zone moves them. */
export const writeDay = (day: string, locale: string, options: Intl.DateTimeFormatOptions): string =>
  dateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));

export function writeDays(first: string, last: string, locale: string): string {
  const format = dateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.formatRange(new Date(`${first}T12:00:00Z`), new Date(`${last}T12:00:00Z`));
}

/** `UTC+02:00`. */
export const writeOffset = (minutes: number): string => {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
};

export const offsetIn = (iso: string, timeZone: string): string =>
  writeOffset(zoneOffsetMs(Date.parse(iso), timeZone) / 60_000);

/** `every 1 m · 1,440 ×`. */
export function everyInWords({ total, isEstimate, everyMs, isHeld }: CalendarSchedule, t: TFunction): string {
  return [
    ...(everyMs === undefined ? [] : [t('calendar.every', { duration: formatDuration(everyMs) })]),
    t(isEstimate ? 'calendar.aboutTimes' : 'calendar.times', { count: total }),
    ...(isHeld ? [t('calendar.held')] : []),
  ].join(' · ');
}
