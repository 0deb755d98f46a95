import type { Cron } from './cron.ts';

/**
 * Searches in local time: dates here are milliseconds as if the local clock showed UTC. `nextDate` handles
 * offsets and their changes.
 */

const second = 1000;
const day = 86_400_000;
/** A leap day can be eight years away; a date such as 30 February never comes. */
const horizonYears = 9;

/** The first matching local time at or after `from`; undefined when there is none within the horizon. */
export function findLocalAtOrAfter(cron: Cron, from: number): number | undefined {
  const start = Math.ceil(from / second) * second;
  const date = new Date(start);
  const lastYear = Math.min(date.getUTCFullYear() + horizonYears, 9999);
  let midnight = start - mod(start, day);
  let time = start - midnight;
  while (new Date(midnight).getUTCFullYear() <= lastYear) {
    if (matchesDay(cron, midnight)) {
      const found = timeAtOrAfter(cron, time);
      if (found !== undefined) return midnight + found;
      midnight += day;
    } else midnight = nextDayWorthTrying(cron, midnight);
    time = 0;
  }
  return undefined;
}

/** The last matching local time at or before `from`. */
export function findLocalAtOrBefore(cron: Cron, from: number): number | undefined {
  const start = Math.floor(from / second) * second;
  const firstYear = new Date(start).getUTCFullYear() - horizonYears;
  let midnight = start - mod(start, day);
  let time = start - midnight;
  while (new Date(midnight).getUTCFullYear() >= firstYear) {
    if (matchesDay(cron, midnight)) {
      const found = timeAtOrBefore(cron, time);
      if (found !== undefined) return midnight + found;
      midnight -= day;
    } else midnight = previousDayWorthTrying(cron, midnight);
    time = day - second;
  }
  return undefined;
}

function matchesDay(cron: Cron, midnight: number): boolean {
  const date = new Date(midnight);
  if (!cron.months[date.getUTCMonth() + 1]) return false;
  const byDay = cron.days[date.getUTCDate()] === true;
  const byWeekday = cron.weekdays[date.getUTCDay()] === true;
  if (cron.anyDay) return byWeekday;
  if (cron.anyWeekday) return byDay;
  return byDay || byWeekday;
}

/** Skips whole months that cannot match. */
function nextDayWorthTrying(cron: Cron, midnight: number): number {
  const date = new Date(midnight);
  if (cron.months[date.getUTCMonth() + 1]) return midnight + day;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

function previousDayWorthTrying(cron: Cron, midnight: number): number {
  const date = new Date(midnight);
  if (cron.months[date.getUTCMonth() + 1]) return midnight - day;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0);
}

function timeAtOrAfter(cron: Cron, time: number): number | undefined {
  const total = time / second;
  const hour = Math.floor(total / 3600);
  const minute = Math.floor(total / 60) % 60;
  for (let h = next(cron.hours, hour); h >= 0; h = next(cron.hours, h + 1)) {
    const fromMinute = h === hour ? minute : 0;
    for (let m = next(cron.minutes, fromMinute); m >= 0; m = next(cron.minutes, m + 1)) {
      const s = next(cron.seconds, h === hour && m === minute ? total % 60 : 0);
      if (s >= 0) return ((h * 60 + m) * 60 + s) * second;
    }
  }
  return undefined;
}

function timeAtOrBefore(cron: Cron, time: number): number | undefined {
  const total = time / second;
  const hour = Math.floor(total / 3600);
  const minute = Math.floor(total / 60) % 60;
  for (let h = cron.hours.lastIndexOf(true, hour); h >= 0; h = before(cron.hours, h)) {
    const fromMinute = h === hour ? minute : 59;
    for (let m = cron.minutes.lastIndexOf(true, fromMinute); m >= 0; m = before(cron.minutes, m)) {
      const s = cron.seconds.lastIndexOf(true, h === hour && m === minute ? total % 60 : 59);
      if (s >= 0) return ((h * 60 + m) * 60 + s) * second;
    }
  }
  return undefined;
}

const next = (values: readonly boolean[], from: number): number => values.indexOf(true, from);
/** `lastIndexOf` counts a negative start from the end, which is not what "before 0" means. */
const before = (values: readonly boolean[], index: number): number =>
  index === 0 ? -1 : values.lastIndexOf(true, index - 1);

const mod = (value: number, by: number): number => ((value % by) + by) % by;
