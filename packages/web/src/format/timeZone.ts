import { readSetting } from '../storage/settings.ts';

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone in which dates are shown and picked: the one of the settings, otherwise the browser's. */
export const shownTimeZone = (): string => readSetting('timeZone') || browserTimeZone();

/** How far the wall clock of a zone is ahead of UTC at a moment. */
export function zoneOffsetMs(atMs: number, timeZone: string): number {
  // No zone changes its clock between two quarters of an hour; asking Intl for each of many log lines is slow.
  const quarter = Math.floor(atMs / quarterMs);
  const key = `${timeZone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(quarter * quarterMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  const offset = wall - quarter * quarterMs;
  if (offsets.size > 2_000) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

const quarterMs = 900_000;
const offsets = new Map<string, number>();
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}
