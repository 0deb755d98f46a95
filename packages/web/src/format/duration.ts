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

export interface Tick {
  /** Offset from the start of the axis. */
  readonly ms: number;
  /** Place on the axis, from 0 to 1. */
  readonly at: number;
  readonly label: string;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Distances that people read easily, in rising order. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 5, 10, 20, 50, 100].map((n) => n * day),
];

/** The distance between round marks that divide a length into at most `count` parts. */
export const niceStep = (lengthMs: number, most: number): number =>
  steps.find((candidate) => lengthMs / candidate <= most) ?? Math.ceil(lengthMs / most / day) * day;

/** Round marks on an axis of the given length, at most `most` of them after zero. */
export function niceTicks(lengthMs: number, most: number): Tick[] {
  if (lengthMs <= 0) return [{ ms: 0, at: 0, label: '0' }];
  const step = niceStep(lengthMs, most);
  const count = Math.floor(lengthMs / step);
  return Array.from({ length: count + 1 }, (_, index) => {
    const ms = index * step;
    return { ms, at: ms / lengthMs, label: tickLabel(ms, step) };
  });
}

/** A mark without the digits that a measured duration has: `30 s`, `1 min 30 s`. */
export function tickLabel(ms: number, step: number): string {
  if (ms === 0) return '0';
  if (step < second)
    return ms < second ? formatTime(ms, 'millisecond', 'ms') : formatTime(ms / second, 'second', 's');
  const parts: string[] = [];
  for (const [length, unit, sign] of [
    [day, 'day', 'd'],
    [hour, 'hour', 'h'],
    [minute, 'minute', 'min'],
    [second, 'second', 's'],
  ] as const) {
    const whole = Math.floor(ms / length);
    ms -= whole * length;
    if (whole > 0) parts.push(formatTime(whole, unit, sign));
  }
  return parts.join(' ');
}
