import { findZone } from '@millrace/engine';
import { readSetting } from '../storage/settings.ts';

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone in which dates are shown and picked: the one of the settings, otherwise the browser's. */
export const shownTimeZone = (): string => readSetting('timeZone') || browserTimeZone();

/** How far the wall clock of a zone is ahead of UTC at a moment. */
export const zoneOffsetMs = (atMs: number, timeZone: string): number =>
  findZone(timeZone)?.offsetAt(atMs) ?? 0;
