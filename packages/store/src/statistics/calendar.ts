import { AppError } from '@millrace/contract';

/** How wide the buckets of a chart are. */
export const bucketWidths = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type BucketWidth = (typeof bucketWidths)[number];

export const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** The offset of local time from UTC since a moment (the first offset: since forever). */
export interface Offset {
  readonly since: number;
  readonly ms: number;
}

/**
 * A time zone as arithmetic. Instants fall into units: minutes and hours of the clock, or local days. A database can
 * compute the number of a unit; weeks and months are derived from days here.
 */
export interface Calendar {
  /** The offsets in force between two moments, the first one first. */
  offsets(from: number, to: number): readonly Offset[];
  offsetAt(at: number): number;
}

export function calendarOf(timeZone: string): Calendar {
  const format = formatOf(timeZone);
  const offsetAt = (at: number): number => {
    const parts = format.formatToParts(at);
    const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return local - Math.floor(at / 1_000) * 1_000;
  };
  return { offsetAt, offsets: (from, to) => offsetsBetween(offsetAt, from, to) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, made);
    return made;
  } catch (cause) {
    throw new AppError('illegal-argument', `${JSON.stringify(timeZone)} is not a time zone.`, { cause });
  }
}

/**
 * Samples one moment per week and then searches for the change: no zone changes its offset twice within a
 * week.
 */
function offsetsBetween(offsetAt: (at: number) => number, from: number, to: number): Offset[] {
  const found: Offset[] = [{ since: Number.NEGATIVE_INFINITY, ms: offsetAt(from) }];
  for (let at = from; at < to; ) {
    const next = Math.min(at + 7 * dayMs, to);
    const [before, after] = [offsetAt(at), offsetAt(next)];
    if (before !== after) found.push({ since: changeBetween(offsetAt, at, next), ms: after });
    at = next;
  }
  return found;
}

function changeBetween(offsetAt: (at: number) => number, from: number, to: number): number {
  const before = offsetAt(from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** Milliseconds of the unit that buckets of this width are made of. */
export const unitMs = (width: BucketWidth): number =>
  width === 'minute' ? minuteMs : width === 'hour' ? hourMs : dayMs;

/**
 * The value to add to an instant before dividing by the unit. An hour that the clock repeats in autumn stays
 * two hours, so hours and minutes use only the part of the offset beyond whole units.
 */
export const shiftOf = (offsetMs: number, width: BucketWidth): number =>
  unitMs(width) === dayMs ? offsetMs : modulo(offsetMs, unitMs(width));

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

export interface Bucket {
  /** When it begins. */
  readonly at: number;
  /** Its units: `firstUnit <= unit < endUnit`. */
  readonly firstUnit: number;
  readonly endUnit: number;
}

const maxBuckets = 20_000;

const unitOf = (calendar: Calendar, at: number, width: BucketWidth): number =>
  Math.floor((at + shiftOf(calendar.offsetAt(at), width)) / unitMs(width));

/** The first unit of the bucket that an instant falls into. */
export const bucketOfDate = (calendar: Calendar, at: number, width: BucketWidth): number =>
  startOfBucket(unitOf(calendar, at, width), width);

/** All buckets that a window touches, the one of its end included. */
export function bucketsBetween(
  calendar: Calendar,
  width: BucketWidth,
  { from, to }: { readonly from: number; readonly to: number },
): Bucket[] {
  const buckets: Bucket[] = [];
  const last = unitOf(calendar, to, width);
  for (let unit = bucketOfDate(calendar, from, width); unit <= last; ) {
    const end = endOfBucket(unit, width);
    buckets.push({ at: startOfUnit(calendar, unit, width), firstUnit: unit, endUnit: end });
    if (buckets.length > maxBuckets) {
      throw new AppError(
        'illegal-argument',
        `The window has more than ${maxBuckets} buckets; narrow it down.`,
      );
    }
    unit = end;
  }
  return buckets;
}

export function startOfUnit(calendar: Calendar, unit: number, width: BucketWidth): number {
  const local = unit * unitMs(width);
  const guess = local - shiftOf(calendar.offsetAt(local), width);
  return local - shiftOf(calendar.offsetAt(guess), width);
}

/** Day 0 was a Thursday; weeks begin on Monday. */
function startOfBucket(unit: number, width: BucketWidth): number {
  if (width === 'week') return unit - modulo(unit + 3, 7);
  if (width !== 'month') return unit;
  const date = new Date(unit * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / dayMs;
}

function endOfBucket(first: number, width: BucketWidth): number {
  if (width === 'week') return first + 7;
  if (width !== 'month') return first + 1;
  const date = new Date(first * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / dayMs;
}
