import { ExpressionError } from '../error.ts';

/** A time zone: its name and its offset from UTC, in seconds, at a moment or for a local time. */
export interface Zone {
  readonly id: string;
  /** A bare offset has no name: it prints without `[id]`. */
  readonly isOffset: boolean;
  offsetAt(epochSecond: number): number;
  /** The offset to use for a wall-clock time given as seconds since the epoch. */
  offsetFor(localSecond: number, preferred?: number): number;
}

const zones = new Map<string, Zone>();

/** Finds a zone by region id (`Europe/Paris`), offset (`+05:30`) or prefixed offset (`UTC+1`); throws if unknown. */
export function findZone(id: string): Zone {
  const known = zones.get(id);
  if (known) return known;
  const zone = makeZone(id);
  if (zones.size > 1000) zones.clear();
  zones.set(id, zone);
  return zone;
}

export function offsetZone(seconds: number): Zone {
  return findZone(offsetText(seconds));
}

/** `Z`, `+05:30` or `+00:00:01`. */
export function offsetText(seconds: number): string {
  if (seconds === 0) return 'Z';
  const size = Math.abs(seconds);
  const pad = (value: number) => String(value).padStart(2, '0');
  const base = `${seconds < 0 ? '-' : '+'}${pad(Math.floor(size / 3600))}:${pad(Math.floor(size / 60) % 60)}`;
  return size % 60 === 0 ? base : `${base}:${pad(size % 60)}`;
}

/** Seconds of `Z`, `+5`, `+05`, `+0530`, `+05:30`, `+05:30:15`; null for anything else. */
export function parseOffset(text: string): number | null {
  if (text === 'Z') return 0;
  const match = /^([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/.exec(text);
  if (!match) return null;
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return total > 64_800 ? null : sign === '-' ? -total : total;
}

function makeZone(id: string): Zone {
  const offset = parseOffset(id);
  if (offset !== null) return fixedZone(offsetText(offset), offset, true);
  if (id === 'UTC' || id === 'GMT' || id === 'UT') return fixedZone(id, 0, false);
  const prefixed = /^(UTC|GMT|UT)([+-].*)$/.exec(id);
  if (prefixed) {
    const shift = parseOffset(prefixed[2] ?? '');
    if (shift !== null)
      return fixedZone(shift === 0 ? `${prefixed[1]}` : `${prefixed[1]}${offsetText(shift)}`, shift, false);
  }
  return regionZone(id);
}

function fixedZone(id: string, offset: number, isOffset: boolean): Zone {
  return { id, isOffset, offsetAt: () => offset, offsetFor: () => offset };
}

function regionZone(id: string): Zone {
  const clock = clockOf(id);
  const offsets = new Map<number, number>();
  const offsetAt = (epochSecond: number): number => {
    // Since 1973 every offset change falls on a quarter of an hour, so offsets are cached per quarter.
    const quarter = epochSecond >= 94_694_400 ? Math.floor(epochSecond / 900) : Number.NaN;
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const offset = readOffset(clock, epochSecond);
    if (!Number.isNaN(quarter)) {
      if (offsets.size > 10_000) offsets.clear();
      offsets.set(quarter, offset);
    }
    return offset;
  };
  const offsetFor = (localSecond: number, preferred?: number): number => {
    const before = offsetAt(localSecond - 86_400);
    const after = offsetAt(localSecond + 86_400);
    const fits = (offset: number) => offsetAt(localSecond - offset) === offset;
    if (preferred !== undefined && fits(preferred)) return preferred;
    // In an overlap both fit and the earlier moment wins; in a gap none fits and the time moves forward by
    // the gap.
    if (fits(before) || !fits(after)) return before;
    return after;
  };
  return { id, isOffset: false, offsetAt, offsetFor };
}

function clockOf(id: string): Intl.DateTimeFormat {
  // Letters, digits and separators only: newer runtimes also take offsets here, which were handled before.
  if (!/^[A-Za-z][\w+\-/]*$/.test(id)) throw new ExpressionError(`Unknown time zone '${id}'`);
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-iso8601', {
      timeZone: id,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (cause) {
    throw new ExpressionError(`Unknown time zone '${id}'`, 'error', { cause });
  }
}

const earliestRule = Date.UTC(1700, 0, 1);

function readOffset(clock: Intl.DateTimeFormat, epochSecond: number): number {
  const milliseconds = epochSecond * 1000;
  // Moments are clamped: before time zones existed places had local times and the runtime uses another
  // calendar,
  // and beyond the range of a Date no rule is known.
  const shown = Math.max(earliestRule, Math.min(8.64e15, milliseconds));
  const fields: { [type: string]: number } = {};
  let beforeChrist = false;
  for (const part of clock.formatToParts(shown)) {
    if (part.type === 'era') beforeChrist = part.value.startsWith('B');
    else fields[part.type] = Number(part.value);
  }
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  const local = new Date(0);
  local.setUTCFullYear(beforeChrist ? 1 - year : year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  return local.getTime() / 1000 - Math.floor(shown / 1000);
}
