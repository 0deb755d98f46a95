import { findZone } from '@millrace/engine';
import { readSetting } from '../storage/settings.ts';

let ofBrowser: string | undefined;

/** Asked for once: the answer takes milliseconds, and every bar of a chart wants it. */
export function browserTimeZone(): string {
  ofBrowser ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ofBrowser;
}

/** The zone in which dates are shown and picked: the one of the settings, otherwise the browser's. */
export const shownTimeZone = (): string => readSetting('timeZone') || browserTimeZone();

/** How far the wall clock of a zone is ahead of UTC at a moment. */
export const zoneOffsetMs = (atMs: number, timeZone: string): number =>
  findZone(timeZone)?.offsetAt(atMs) ?? 0;

/** Pickers speak of the wall clock in the zone of the settings, `2026-03-01 02:00:00`; calls and addresses of moments. */
export function localToInstant(local: string, timeZone = shownTimeZone()): string {
  const asUtcMs = Date.parse(`${local.replace(' ', 'T')}Z`);
  // The offset belongs to the moment that is sought. The first guess misses it only near a change of the clocks; a time
  // that the change leaves out becomes the one an hour later, as calendars do it.
  const guessMs = asUtcMs - zoneOffsetMs(asUtcMs, timeZone);
  const foundMs = asUtcMs - zoneOffsetMs(guessMs, timeZone);
  const isReal = foundMs + zoneOffsetMs(foundMs, timeZone) === asUtcMs;
  return new Date(isReal ? foundMs : Math.max(foundMs, guessMs)).toISOString();
}

/** A moment as the pickers want it. */
export const instantToLocal = (iso: string, timeZone = shownTimeZone()): string =>
  wallClockOf(Date.parse(iso), timeZone).slice(0, 19).replace('T', ' ');

/** A moment on the wall of a zone, `2026-03-01T02:00:00.000`. */
export const wallClockOf = (atMs: number, timeZone: string): string =>
  new Date(atMs + zoneOffsetMs(atMs, timeZone)).toISOString().slice(0, 23);
