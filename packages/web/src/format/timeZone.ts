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
