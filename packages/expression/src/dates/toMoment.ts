import { nameOf } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { isInteger } from '../numbers/number.ts';
import { namedPatterns } from './namedFormats.ts';
import { parseDate } from './parseDate.ts';
import { parseLocalDate, parseLocalDateTime, parseZoned } from './parseIso.ts';
import { parsePattern } from './pattern.ts';
import { Instant, instantOf, LocalDate, LocalDateTime, Temporal, ZonedDateTime } from './temporal.ts';
import type { Zone } from './zone.ts';

/** Converts any value that a date filter accepts to a moment; values without a zone are in the given one. */
export function toMoment(
  value: unknown,
  zone: Zone,
  existingFormat: string | undefined,
  locale: string,
): ZonedDateTime {
  if (isInteger(value)) return new ZonedDateTime(checkSecond(Number(value)), 0, zone);
  if (value instanceof Date) return fromTemporal(instantOf(value), zone, 43_200);
  if (value instanceof Temporal) return fromTemporal(value, zone, 43_200);
  if (typeof value !== 'string') throw new ExpressionError(`Not a date: ${nameOf(value)}`);
  return fromTemporal(parseText(value, existingFormat, locale), zone, 0);
}

/** A date alone means noon when it is a value, but midnight when it was read from text. */
function fromTemporal(value: Temporal, zone: Zone, secondOfDay: number): ZonedDateTime {
  if (value instanceof ZonedDateTime) return value;
  if (value instanceof Instant) return new ZonedDateTime(value.epochSecond, value.nano, zone);
  if (value instanceof LocalDateTime) return ZonedDateTime.ofLocal(value.localSecond, value.nano, zone);
  if (value instanceof LocalDate)
    return ZonedDateTime.ofLocal(value.epochDay * 86_400 + secondOfDay, 0, zone);
  throw new ExpressionError(`Not a date: ${value.toString()}`);
}

function parseText(text: string, existingFormat: string | undefined, locale: string): Temporal {
  const pattern =
    existingFormat === undefined
      ? undefined
      : (namedPatterns.get(existingFormat.toLowerCase()) ?? existingFormat);
  const isIso = pattern === undefined || /^iso_/i.test(pattern);
  const parsed = isIso
    ? (parseZoned(text) ?? parseLocalDateTime(text) ?? parseLocalDate(text))
    : parseDate(text, parsePattern(pattern), locale);
  if (!parsed) {
    const wanted = existingFormat === undefined ? 'an ISO-8601 date' : `the format ${existingFormat}`;
    throw new ExpressionError(`Text '${text.slice(0, 100)}' could not be parsed as ${wanted}`);
  }
  return parsed;
}

/** Beyond the years ±999,999,999 no calendar field makes sense any more. */
function checkSecond(second: number): number {
  if (Math.abs(second) > 3e16) throw new ExpressionError(`The epoch second ${second} is out of range`);
  return second;
}
