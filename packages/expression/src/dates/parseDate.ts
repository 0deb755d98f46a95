import { calendarDateOf, dayOfWeekOf, epochDayOf, lengthOfMonth } from './calendar.ts';
import { dateNames, type Width } from './names.ts';
import type { PatternPart } from './pattern.ts';
import { LocalDate, LocalDateTime, ZonedDateTime } from './temporal.ts';
import { firstDayOfYear, weekRuleOf } from './weeks.ts';
import { findZone, offsetZone, parseOffset, type Zone } from './zone.ts';

type Fields = Map<string, number>;
type Field = Extract<PatternPart, { type: 'field' }>;

const numericLetters = 'yuYMLdDHhKkmsSnNAwWFeQq';

/**
 * Parses a text by a pattern: zoned if it has an offset or zone, else local, else a date; null if no match.
 */
export function parseDate(
  text: string,
  parts: readonly PatternPart[],
  locale: string,
): ZonedDateTime | LocalDateTime | LocalDate | null {
  const reader = new DateReader(text, locale);
  if (!reader.readParts(parts) || reader.position !== text.length) return null;
  return resolve(reader.fields, reader.zone, reader.offset, locale);
}

class DateReader {
  readonly fields: Fields = new Map();
  zone: Zone | null = null;
  offset: number | null = null;
  position = 0;
  private readonly text: string;
  private readonly locale: string;

  constructor(text: string, locale: string) {
    this.text = text;
    this.locale = locale;
  }

  readParts(parts: readonly PatternPart[]): boolean {
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index];
      if (!part) break;
      if (part.type === 'optional') this.readOptional(part.parts);
      else if (part.type === 'literal') {
        if (!this.text.startsWith(part.text, this.position)) return false;
        this.position += part.text.length;
      } else if (!this.readField(part, widthAhead(parts, index + 1))) return false;
    }
    return true;
  }

  private readOptional(parts: readonly PatternPart[]): void {
    const start = this.position;
    const before = new Map(this.fields);
    if (this.readParts(parts)) return;
    this.position = start;
    this.fields.clear();
    for (const [key, value] of before) this.fields.set(key, value);
  }

  private readField(part: Field, reserved: number): boolean {
    if (part.pad > 0) while (this.text[this.position] === ' ') this.position++;
    if ('XxZO'.includes(part.letter)) return this.readOffset();
    if (part.letter === 'V' || part.letter === 'z') return this.readZone();
    if (part.letter === 'a') return this.readName('a', dateNames(this.locale).dayPeriods, 0);
    if (part.letter === 'G') return this.readName('G', dateNames(this.locale).eras.short, 0);
    if (part.letter === 'E' || (/[ec]/.test(part.letter) && part.count >= 3)) {
      return this.readName('E', dateNames(this.locale).days(widthOf(Math.max(3, part.count))), 1);
    }
    if (/[ML]/.test(part.letter) && part.count >= 3) return this.readMonth(part);
    return this.readNumber(part, reserved);
  }

  private readMonth(part: Field): boolean {
    const names = dateNames(this.locale);
    const width = widthOf(part.count);
    return this.readName('M', part.letter === 'M' ? names.months(width) : names.standaloneMonths(width), 1);
  }

  private readName(key: string, names: readonly string[], base: number): boolean {
    const rest = this.text.slice(this.position, this.position + 40);
    const found = names.findIndex((name) => name !== '' && rest.startsWith(name));
    if (found < 0) return false;
    this.fields.set(key, found + base);
    this.position += names[found]?.length ?? 0;
    return true;
  }

  private readNumber({ letter, count }: Field, reserved: number): boolean {
    const [minimum, maximum] = digitsOf(letter, count);
    const match = /^[+-]?\d+/.exec(this.text.slice(this.position, this.position + 30));
    if (!match) return false;
    const signed = /^[+-]/.test(match[0]) ? 1 : 0;
    if (signed && !'yu'.includes(letter)) return false;
    const available = match[0].length - signed - reserved;
    const length = Math.min(available, maximum);
    if (length < minimum) return false;
    const digits = match[0].slice(0, length + signed);
    this.position += digits.length;
    const key = letter === 'L' ? 'M' : letter === 'q' ? 'Q' : letter;
    const value = letter === 'S' ? Number(digits.padEnd(9, '0')) : Number(digits);
    this.fields.set(key, 'yuY'.includes(letter) && count === 2 ? 2000 + value : value);
    return true;
  }

  private readOffset(): boolean {
    const match = /^(?:GMT|UTC)?(Z|[+-]\d{1,2}(?::?\d{2}(?::?\d{2})?)?)|^GMT|^UTC/.exec(
      this.text.slice(this.position, this.position + 20),
    );
    if (!match) return false;
    this.offset = parseOffset(match[1] ?? 'Z');
    this.position += match[0].length;
    return this.offset !== null;
  }

  private readZone(): boolean {
    const match = /^[A-Za-z][\w/+\-:]*|^[+-]\d{2}:?\d{2}/.exec(
      this.text.slice(this.position, this.position + 60),
    );
    if (!match) return false;
    const known = abbreviations.get(match[0]) ?? match[0];
    try {
      this.zone = findZone(known);
    } catch {
      return false;
    }
    this.position += match[0].length;
    return true;
  }
}

const abbreviations = new Map([
  ['Z', 'UTC'],
  ['EST', 'America/New_York'],
  ['EDT', 'America/New_York'],
  ['CST', 'America/Chicago'],
  ['CDT', 'America/Chicago'],
  ['MST', 'America/Denver'],
  ['MDT', 'America/Denver'],
  ['PST', 'America/Los_Angeles'],
  ['PDT', 'America/Los_Angeles'],
  ['CET', 'Europe/Paris'],
  ['CEST', 'Europe/Paris'],
  ['BST', 'Europe/London'],
]);

/** Digits that directly following numbers of fixed width need for themselves, as in `yyyyMMdd`. */
function widthAhead(parts: readonly PatternPart[], from: number): number {
  let width = 0;
  for (let index = from; index < parts.length; index++) {
    const part = parts[index];
    if (part?.type !== 'field' || !numericLetters.includes(part.letter)) break;
    if (/[ML]/.test(part.letter) && part.count >= 3) break;
    const [minimum, maximum] = digitsOf(part.letter, part.count);
    if (minimum !== maximum) break;
    width += minimum;
  }
  return width;
}

function digitsOf(letter: string, count: number): readonly [number, number] {
  if (letter === 'S') return [count, count];
  if ('yuY'.includes(letter))
    return count === 2 ? [2, 2] : count >= 4 ? [count, count === 4 ? 4 : 19] : [count, 19];
  if ('AnN'.includes(letter)) return [count, 19];
  if (letter === 'D') return count === 3 ? [3, 3] : [count, 3];
  return count === 2 ? [2, 2] : [1, 19];
}

function resolve(
  fields: Fields,
  zone: Zone | null,
  offset: number | null,
  locale: string,
): ZonedDateTime | LocalDateTime | LocalDate | null {
  const day = resolveDay(fields, locale);
  const named = fields.get('E');
  if (day === null || (named !== undefined && dayOfWeekOf(day) !== named)) return null;
  const time = resolveTime(fields);
  if (time === null) return new LocalDate(day);
  if (Number.isNaN(time.second)) return null;
  const local = day * 86_400 + time.second;
  if (zone) return ZonedDateTime.ofLocal(local, time.nano, zone, offset ?? undefined);
  if (offset !== null) return new ZonedDateTime(local - offset, time.nano, offsetZone(offset));
  return new LocalDateTime(local, time.nano);
}

function resolveDay(fields: Fields, locale: string): number | null {
  const yearOfEra = fields.get('y');
  const year =
    fields.get('u') ?? (yearOfEra !== undefined && fields.get('G') === 0 ? 1 - yearOfEra : yearOfEra);
  const month = fields.get('M');
  const day = fields.get('d');
  if (year !== undefined && month !== undefined && day !== undefined) {
    if (month < 1 || month > 12 || day < 1 || day > 31) return null;
    // Lenient by one step, as the reference is: 31 February means the last day of February.
    return epochDayOf(year, month, Math.min(day, lengthOfMonth(year, month)));
  }
  const dayOfYear = fields.get('D');
  if (year !== undefined && dayOfYear !== undefined) {
    const epochDay = epochDayOf(year, 1, 1) + dayOfYear - 1;
    return dayOfYear >= 1 && calendarDateOf(epochDay).year === year ? epochDay : null;
  }
  return resolveWeek(fields, locale);
}

function resolveWeek(fields: Fields, locale: string): number | null {
  const year = fields.get('Y');
  const week = fields.get('w');
  const rule = weekRuleOf(locale);
  const named = fields.get('E');
  const day = fields.get('e') ?? (named === undefined ? undefined : ((named - rule.firstDay + 7) % 7) + 1);
  if (year === undefined || week === undefined || day === undefined) return null;
  return firstDayOfYear(year, rule) + (week - 1) * 7 + day - 1;
}

/** Null when the text has no time; NaN seconds when the time is impossible. */
function resolveTime(fields: Fields): { second: number; nano: number } | null {
  const nanoOfDay = fields.get('N');
  if (nanoOfDay !== undefined) return { second: Math.floor(nanoOfDay / 1e9), nano: nanoOfDay % 1e9 };
  const milliOfDay = fields.get('A');
  if (milliOfDay !== undefined)
    return { second: Math.floor(milliOfDay / 1000), nano: (milliOfDay % 1000) * 1e6 };
  const hour = resolveHour(fields);
  if (hour === null) return null;
  const minute = fields.get('m') ?? 0;
  const second = fields.get('s') ?? 0;
  const isEndOfDay = hour === 24 && minute === 0 && second === 0;
  const fits = hour >= 0 && (hour < 24 || isEndOfDay) && minute < 60 && second < 60;
  return {
    second: fits ? hour * 3600 + minute * 60 + second : Number.NaN,
    nano: fields.get('S') ?? fields.get('n') ?? 0,
  };
}

function resolveHour(fields: Fields): number | null {
  const hour = fields.get('H') ?? wrap(fields.get('k'), 24);
  if (hour !== undefined) return hour;
  const half = fields.get('K') ?? wrap(fields.get('h'), 12);
  const period = fields.get('a');
  return half === undefined || period === undefined ? null : half + period * 12;
}

/** The clocks that count to 12 or 24 call their zero by that number. */
function wrap(value: number | undefined, full: number): number | undefined {
  return value === full ? 0 : value;
}

function widthOf(count: number): Width {
  return count === 4 ? 'long' : count === 5 ? 'narrow' : 'short';
}
