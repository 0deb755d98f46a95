import { readSetting, useSetting } from '../storage/settings.ts';
import { relativeTimeFormat, writeDate } from './dateFormats.ts';

const spans = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A moment as the settings say: in which form, and in which time zone. */
export const formatDateTime = (iso: string, locale: string): string =>
  writeDate(new Date(iso), {
    locale,
    format: readSetting('dateFormat'),
    timeZone: readSetting('timeZone') || undefined,
  });

/** Redraws a component that writes dates when the form or the time zone changes. */
export function useDateSettings(): void {
  useSetting('dateFormat');
  useSetting('timeZone');
}

/** "3 minutes ago", "in 2 hours"; anything within a few seconds is "now". */
export function formatAgo(iso: string, nowMs: number, locale: string): string {
  const difference = new Date(iso).getTime() - nowMs;
  const format = relativeTimeFormat(locale);
  const span = spans.find(([, ms]) => Math.abs(difference) >= ms);
  if (!span || Math.abs(difference) < 3_000) return format.format(0, 'second');
  return format.format(Math.trunc(difference / span[1]), span[0]);
}
