import {
  Decimal,
  findZone,
  formatDate,
  Instant,
  LocalDate,
  LocalDateTime,
  LocalTime,
  type PatternPart,
  parsePattern,
  Real,
  Temporal,
  type Zone,
  ZonedDateTime,
} from '@millrace/expression';
import { text } from '@millrace/plugin-kit';

export const timeZoneProperty = () =>
  text().optional().describe("The time zone of dates that have one; the server's when absent.");

/** How dates and times are written as text. */
export const dateFormatProperties = () => ({
  dateFormat: text().default('yyyy-MM-dd').describe('The pattern of dates.'),
  timeFormat: text().default('HH:mm:ss[XXX]').describe('The pattern of times.'),
  dateTimeFormat: text()
    .default("yyyy-MM-dd'T'HH:mm:ss.SSS[XXX]")
    .describe('The pattern of dates with a time.'),
  timeZoneId: timeZoneProperty(),
});

export interface DateFormats {
  readonly dateFormat: string;
  readonly timeFormat: string;
  readonly dateTimeFormat: string;
  readonly timeZoneId?: string | undefined;
}

export const zoneOf = (id: string | undefined): Zone =>
  findZone(id ?? Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Formats row values as text: dates by pattern, lists and maps as JSON, null as an empty text. */
export function createTextFormatter(formats: DateFormats): (value: unknown) => string {
  const utc = findZone('UTC');
  const zone = zoneOf(formats.timeZoneId);
  const date = withoutZone(parsePattern(formats.dateFormat));
  const time = withoutZone(parsePattern(formats.timeFormat));
  const dateTime = parsePattern(formats.dateTimeFormat);
  const write = (moment: ZonedDateTime, parts: readonly PatternPart[]) => formatDate(moment, parts, 'en-US');

  return (value) => {
    if (value === null || value === undefined) return '';
    if (typeof value === 'string') return value;
    if (value instanceof Instant)
      return write(new ZonedDateTime(value.epochSecond, value.nano, utc), dateTime);
    if (value instanceof LocalDateTime)
      return write(new ZonedDateTime(value.localSecond, value.nano, utc), dateTime);
    if (value instanceof ZonedDateTime) return write(value.in(zone), dateTime);
    if (value instanceof LocalDate) return write(new ZonedDateTime(value.epochDay * 86_400, 0, utc), date);
    if (value instanceof LocalTime) return write(new ZonedDateTime(value.secondOfDay, value.nano, utc), time);
    return plainText(value, zone);
  };
}

function plainText(value: unknown, zone: Zone): string {
  if (value instanceof Real)
    return value.digits ?? (Number.isInteger(value.value) ? `${value.value}.0` : String(value.value));
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Decimal || value instanceof Temporal || typeof value !== 'object')
    return String(value);
  return toJsonText(value, zone);
}

/** A section that needs an offset is left out for values that have none. */
function withoutZone(parts: readonly PatternPart[]): PatternPart[] {
  const needsZone = (part: PatternPart): boolean =>
    part.type === 'optional'
      ? part.parts.some(needsZone)
      : part.type === 'field' && 'XxZOVz'.includes(part.letter);
  return parts.filter((part) => part.type !== 'optional' || !needsZone(part));
}

/** A value as JSON: exact numbers, dates as ISO text in a zone, bytes as base64. */
export function toJsonText(value: unknown, zone: Zone, keepAnnotations = false): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `"${value}"`;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((item) => toJsonText(item, zone, keepAnnotations)).join(',')}]`;
  if (value instanceof Real || value instanceof Decimal) return plainText(value, zone);
  if (value instanceof Uint8Array) return JSON.stringify(plainText(value, zone));
  if (value instanceof Temporal) return temporalJson(value, zone, keepAnnotations);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return `{${entries.map(([key, item]) => `${JSON.stringify(String(key))}:${toJsonText(item, zone, keepAnnotations)}`).join(',')}}`;
}

function temporalJson(value: Temporal, zone: Zone, keepAnnotations: boolean): string {
  const isAnnotated = !(value instanceof Instant || value instanceof LocalDate);
  if (keepAnnotations && isAnnotated)
    return JSON.stringify({ ion_annotations: [value.kind], value: value.toString() });
  if (value instanceof Instant && zone.id !== 'UTC' && zone.id !== 'Z')
    return JSON.stringify(new ZonedDateTime(value.epochSecond, value.nano, zone).jsonText(zone));
  return JSON.stringify(value.jsonText(zone));
}
