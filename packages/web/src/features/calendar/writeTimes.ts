import type { CalendarSchedule } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { dateTimeFormat } from '../../format/dateFormats.ts';
import { formatDuration } from '../../format/duration.ts';
import { zoneOffsetMs } from '../../format/timeZone.ts';

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
