import { parseOffset } from '../conditions/date.ts';
import { readDuration } from '../duration.ts';
import { findWindowType } from './windowType.ts';
import type { Zone } from './zone.ts';

export interface TimeWindow {
  readonly start: number;
  /** The last millisecond that belongs to the window. */
  readonly end: number;
}

const hour = 3_600_000;
const day = 86_400_000;

/** [E310] The window that a moment falls into; undefined outside of a daily one. */
export function windowAt(
  written: Readonly<Record<string, unknown>> | undefined,
  now: number,
  zone: Zone,
): TimeWindow | undefined {
  const text = (name: string): string => String(written?.[name] ?? '');
  switch (findWindowType(written?.type)) {
    case 'SLIDING_WINDOW':
      return { start: now, end: now + (readDuration(text('window')) ?? day) };
    case 'DAILY_TIME_DEADLINE':
      return dailyWindow('00:00', text('deadline'), now, zone);
    case 'DAILY_TIME_WINDOW':
      return dailyWindow(text('startTime'), text('endTime'), now, zone);
    default: {
      const length = Math.max(readDuration(text('window')) ?? day, 1);
      return durationWindow(length, readDuration(text('windowAdvance')) ?? 0, now, zone);
    }
  }
}

/** A window of a day or more starts at midnight; shorter ones follow each other from midnight or the full hour. */
function durationWindow(length: number, advance: number, now: number, zone: Zone): TimeWindow {
  const local = now + zone.offsetAt(now);
  const unit = length >= hour ? day : hour;
  const base = local - mod(local, unit);
  const step = Math.min(length, unit);
  const start = base + advance + Math.floor((local - base - advance) / step) * step;
  return { start: start - zone.offsetAt(now), end: start - zone.offsetAt(now) + length - 1 };
}

/** From one time of day to another; an end before the start belongs to the next day. */
function dailyWindow(startText: string, endText: string, now: number, zone: Zone): TimeWindow | undefined {
  const start = readTime(startText);
  const end = readTime(endText);
  if (!start || !end) return undefined;
  const startOffset = start.offset ?? zone.offsetAt(now);
  const endOffset = end.offset ?? zone.offsetAt(now);
  const local = now + startOffset;
  const midnight = local - mod(local, day);
  const opens = midnight + start.time - startOffset;
  const length = mod(end.time - endOffset - (start.time - startOffset), day);
  for (const from of [opens, opens - day]) {
    if (now >= from && now <= from + length) return { start: from, end: from + length };
  }
  return undefined;
}

function readTime(text: string): { time: number; offset?: number } | undefined {
  const found = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|z|[-+]\d{2}(?::?\d{2})?)?$/.exec(text.trim());
  if (!found) return undefined;
  const time = ((Number(found[1]) * 60 + Number(found[2])) * 60 + Number(found[3] ?? 0)) * 1000;
  return found[4] === undefined ? { time } : { time, offset: parseOffset(found[4]) };
}

const mod = (value: number, by: number): number => ((value % by) + by) % by;
