import { type QuietHours, weekdays } from '@millrace/contract';
import { findZone, type Zone } from '@millrace/engine';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** When a message that is ready at this time may be sent: at once, or at the end of the quiet hours. */
export function endOfQuietHours(quiet: QuietHours | undefined, at: number): number {
  const zone = quiet && findZone(quiet.timeZone);
  if (!quiet || !zone) return at;
  let end = at;
  // Quiet hours of two days may touch, so the end of one is checked against the next; a week is the longest.
  for (let day = 0; day < 8; day++) {
    const next = endOf(quiet, zone, end);
    if (next === end) return end;
    end = next;
  }
  return end;
}

function endOf({ from, to, days }: QuietHours, zone: Zone, at: number): number {
  const local = at + zone.offsetAt(at);
  const midnight = Math.floor(local / dayMs) * dayMs;
  const [start, stop] = [minutesOf(from) * minuteMs, minutesOf(to) * minuteMs];
  const lengthMs = stop > start ? stop - start : stop + dayMs - start;
  for (const day of [midnight - dayMs, midnight]) {
    if (days && !days.includes(weekdayOf(day))) continue;
    const begins = day + start;
    if (local >= begins && local < begins + lengthMs) return toInstant(begins + lengthMs, zone, at);
  }
  return at;
}

/** The offset at the end may be another one than now, on the days when clocks change. */
function toInstant(local: number, zone: Zone, near: number): number {
  const guess = local - zone.offsetAt(near);
  return local - zone.offsetAt(guess);
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** January 1, 1970 was a Thursday. */
const weekdayOf = (localMidnight: number): (typeof weekdays)[number] =>
  weekdays[(((localMidnight / dayMs + 3) % 7) + 7) % 7] ?? 'MON';
