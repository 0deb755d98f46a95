import { epochDayOf, lengthOfMonth } from './calendar.ts';
import { Duration, Instant, LocalDate, LocalDateTime, ZonedDateTime } from './temporal.ts';
import { findZone, offsetZone, parseOffset } from './zone.ts';

const date = String.raw`([+-]\d{4,9}|\d{4})-(\d{2})-(\d{2})`;
const time = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?`;
const dateOnly = new RegExp(`^${date}$`);
const dateTime = new RegExp(`^${date}[Tt]${time}$`);
const zoned = new RegExp(
  `^(${date}[Tt]${time})([Zz]|[+-]\\d{2}(?::?\\d{2}(?::?\\d{2})?)?)(?:\\[([^\\]]+)\\])?$`,
);
const duration =
  /^([+-]?)P(?:([+-]?\d+)D)?(?:T(?:([+-]?\d+)H)?(?:([+-]?\d+)M)?(?:([+-]?)(\d+)(?:\.(\d{1,9}))?S)?)?$/i;

/** Strict ISO-8601 readers; null when the text is something else. */
export function parseLocalDate(text: string): LocalDate | null {
  const match = dateOnly.exec(text);
  const day = match && dayOf(match.slice(1));
  return day === null ? null : new LocalDate(day);
}

export function parseLocalDateTime(text: string): LocalDateTime | null {
  const match = dateTime.exec(text);
  if (!match) return null;
  const day = dayOf(match.slice(1, 4));
  const second = secondOf(match.slice(4, 7));
  if (day === null || second === null) return null;
  return new LocalDateTime(day * 86_400 + second, Number((match[7] ?? '').padEnd(9, '0')));
}

export function parseZoned(text: string): ZonedDateTime | null {
  const match = zoned.exec(text);
  if (!match) return null;
  const [, local = '', , , , , , , , offsetPart = 'Z', region] = match;
  const base = parseLocalDateTime(local);
  const offset = parseOffset(offsetPart.toUpperCase());
  if (!base || offset === null) return null;
  const zone = region === undefined ? offsetZone(offset) : findZone(region);
  // The offset decides the moment, also where the region has another one at that time.
  return new ZonedDateTime(base.localSecond - offset, base.nano, zone);
}

export function parseInstant(text: string): Instant | null {
  const moment = parseZoned(text);
  return moment && new Instant(moment.epochSecond, moment.nano);
}

/** `PT5M6S`, `P1DT2H`, `-PT0.5S`. */
export function parseDuration(text: string): Duration | null {
  const match = duration.exec(text);
  if (!match || /[PT]$/i.test(text)) return null;
  const [, sign, days = '0', hours = '0', minutes = '0', secondSign = '', seconds = '0', fraction = ''] =
    match;
  const whole = Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60;
  const tail = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
  const nanos = BigInt(whole) * 1_000_000_000n + (secondSign === '-' ? -tail : tail);
  const signed = sign === '-' ? -nanos : nanos;
  const second = signed / 1_000_000_000n - (signed % 1_000_000_000n < 0n ? 1n : 0n);
  return new Duration(Number(second), Number(signed - second * 1_000_000_000n));
}

function dayOf([year = '', month = '', day = '']: string[]): number | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (m < 1 || m > 12 || d < 1 || d > lengthOfMonth(y, m)) return null;
  return epochDayOf(y, m, d);
}

function secondOf([hour = '', minute = '', second = '0']: string[]): number | null {
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  return h > 23 || m > 59 || s > 59 ? null : h * 3600 + m * 60 + s;
}
