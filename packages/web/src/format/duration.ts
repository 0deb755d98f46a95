import { formatTime } from './number.ts';

const units = [
  ['day', 'd', 86_400_000],
  ['hour', 'h', 3_600_000],
  ['minute', 'm', 60_000],
  ['second', 's', 1_000],
] as const;

/** The two largest units: "340 ms", "4.2 s", "2 m 5 s", "1 d 3 h"; "4,2 Sek." and "2 Min. 5 Sek." in German. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1_000) return formatTime(Math.max(0, Math.round(durationMs)), 'millisecond', 'ms');
  if (durationMs < 60_000) return formatTime(Math.floor(durationMs / 100) / 10, 'second', 's', 1);
  const index = units.findIndex(([, , ms]) => durationMs >= ms);
  const [unit, sign, ms] = units[index] ?? units[3];
  const next = units[index + 1];
  const whole = formatTime(Math.floor(durationMs / ms), unit, sign);
  const rest = next ? Math.floor((durationMs % ms) / next[2]) : 0;
  return next && rest > 0 ? `${whole} ${formatTime(rest, next[0], next[1])}` : whole;
}

const isoPattern = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Milliseconds of an ISO duration of days and below, or undefined when the text is none. */
export function parseIsoDuration(text: string): number | undefined {
  const match = isoPattern.exec(text);
  if (!match || text.endsWith('P') || text.endsWith('T')) return undefined;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = match;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000;
}
