import {
  Decimal,
  findZone,
  Instant,
  LocalDate,
  LocalDateTime,
  LocalTime,
  type PatternPart,
  parseDate,
  parseInstant,
  parseLocalDate,
  parseLocalDateTime,
  parsePattern,
  Real,
  Temporal,
  type Zone,
  ZonedDateTime,
} from '@millrace/expression';
import { parseLocalTime } from '@millrace/plugin-kit';
import { toJsonText, zoneOf } from '../textWriter.ts';
import type { PlainKind } from './columnType.ts';

/** How texts become values of another type. */
export interface PlainOptions {
  readonly trueValues: readonly string[];
  readonly falseValues: readonly string[];
  readonly nullValues: readonly string[];
  readonly dateFormat: string;
  readonly timeFormat: string;
  readonly datetimeFormat: string;
  readonly decimalSeparator: string;
  readonly timeZoneId?: string | undefined;
}

/** A value that does not fit its column. */
export class WrongValue extends Error {}

const wrong = (value: unknown, kind: string): WrongValue =>
  new WrongValue(`${describe(value)} is no ${kind}`);

const utc = findZone('UTC');

function describe(value: unknown): string {
  const text = toJsonText(value, utc);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

const has = (values: readonly string[], text: string): boolean =>
  values.some((value) => value.toLowerCase() === text.toLowerCase());

/** Converts single values. Times become the numbers that both formats store: days, milliseconds or microseconds. */
export class PlainConverter {
  readonly #options: PlainOptions;
  readonly #zone: Zone;
  readonly #date: readonly PatternPart[];
  readonly #time: readonly PatternPart[];
  readonly #dateTime: readonly PatternPart[];

  constructor(options: PlainOptions) {
    this.#options = options;
    this.#zone = zoneOf(options.timeZoneId);
    this.#date = parsePattern(options.dateFormat);
    // A time alone is read with a date before it.
    this.#time = parsePattern(`yyyy-MM-dd ${options.timeFormat}`);
    this.#dateTime = parsePattern(options.datetimeFormat);
  }

  isNull(value: unknown): boolean {
    return value === null || value === undefined || (typeof value === 'string' && this.#isNullText(value));
  }

  #isNullText(text: string): boolean {
    return has(this.#options.nullValues, text);
  }

  convert(kind: PlainKind, value: unknown): unknown {
    switch (kind) {
      case 'null':
        if (this.isNull(value)) return null;
        throw wrong(value, 'null');
      case 'boolean':
        return this.#boolean(value);
      case 'int':
        return Number(this.#integer(value, kind, 32));
      case 'long':
        return this.#integer(value, kind, 64);
      case 'float':
      case 'double':
        return this.#double(value, kind);
      case 'string':
        return asText(value);
      case 'uuid':
        return uuid(value);
      case 'bytes':
        return bytesOf(value);
      case 'date':
        return this.#days(value);
      case 'time-millis':
        return Number(this.#timeNanos(value) / 1_000_000n);
      case 'time-micros':
        return this.#timeNanos(value) / 1000n;
      case 'timestamp-millis':
      case 'timestamp-micros':
        return inUnit(this.#moment(value, false, kind.endsWith('micros')), kind);
      case 'local-timestamp-millis':
      case 'local-timestamp-micros':
        return inUnit(this.#moment(value, true, kind.endsWith('micros')), kind);
    }
  }

  /** The unscaled integer of a decimal, rounded half to even. */
  decimal(value: unknown, precision: number, scale: number): bigint {
    const decimal = this.#decimal(value);
    const { unscaled } = decimal.round(scale);
    if (String(unscaled < 0n ? -unscaled : unscaled).length > precision)
      throw new WrongValue(
        `${describe(value)} has more digits than a decimal(${precision}, ${scale}) can hold`,
      );
    return unscaled;
  }

  #decimal(value: unknown): Decimal {
    if (value instanceof Decimal) return value;
    const text = value instanceof Real ? String(value.value) : this.#numberText(value);
    const decimal = Decimal.parse(text);
    if (!decimal || Math.abs(decimal.scale) > 1000) throw wrong(value, 'decimal');
    return decimal;
  }

  #numberText(value: unknown): string {
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
    if (typeof value !== 'string') return '';
    const { decimalSeparator } = this.#options;
    return decimalSeparator === '.'
      ? value.trim()
      : value.trim().replaceAll('.', '').replace(decimalSeparator, '.');
  }

  #boolean(value: unknown): boolean {
    if (typeof value === 'boolean') return value;
    const text =
      typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined;
    if (text !== undefined && has(this.#options.trueValues, text)) return true;
    if (text !== undefined && has(this.#options.falseValues, text)) return false;
    throw wrong(value, 'boolean');
  }

  #integer(value: unknown, kind: string, bits: number): bigint {
    const integer = integerOf(value instanceof Real ? value.value : value);
    if (integer === undefined) throw wrong(value, kind);
    if (BigInt.asIntN(bits, integer) !== integer)
      throw new WrongValue(`${integer} does not fit into ${kind}`);
    return integer;
  }

  #double(value: unknown, kind: string): number {
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint') return Number(value);
    if (value instanceof Real) return value.value;
    if (value instanceof Decimal) return value.toNumber();
    const text = this.#numberText(value);
    if (/^[+-]?(nan|inf(inity)?)$/i.test(text))
      return /nan/i.test(text) ? Number.NaN : text.startsWith('-') ? -Infinity : Infinity;
    const number = Number(text);
    if (text === '' || Number.isNaN(number)) throw wrong(value, kind);
    return number;
  }

  #days(value: unknown): number {
    if (value instanceof LocalDate) return value.epochDay;
    if (typeof value === 'number' && Number.isInteger(value)) return value;
    if (value instanceof Temporal) return Math.floor(this.#localSecond(value) / 86_400);
    const date =
      typeof value === 'string' ? (parseDate(value, this.#date, 'en-US') ?? parseLocalDate(value)) : null;
    if (!date) throw wrong(value, `date by the pattern ${this.#options.dateFormat}`);
    return date instanceof LocalDate ? date.epochDay : Math.floor(this.#localSecond(date) / 86_400);
  }

  #localSecond(value: Temporal): number {
    if (value instanceof LocalDateTime) return value.localSecond;
    if (value instanceof ZonedDateTime) return value.localSecond;
    if (value instanceof Instant) return value.epochSecond + this.#zone.offsetAt(value.epochSecond);
    throw wrong(value, 'date');
  }

  #timeNanos(value: unknown): bigint {
    const time = typeof value === 'string' ? this.#parseTime(value) : value;
    if (time instanceof LocalTime) return BigInt(time.secondOfDay) * 1_000_000_000n + BigInt(time.nano);
    if (typeof time === 'number' && Number.isInteger(time)) return BigInt(time) * 1_000_000n;
    throw wrong(value, `time by the pattern ${this.#options.timeFormat}`);
  }

  #parseTime(text: string): LocalTime | null {
    const moment = parseDate(`1970-01-01 ${text}`, this.#time, 'en-US');
    if (moment instanceof LocalDateTime) return new LocalTime(moment.localSecond, moment.nano);
    if (moment instanceof ZonedDateTime)
      return new LocalTime(((moment.localSecond % 86_400) + 86_400) % 86_400, moment.nano);
    return parseLocalTime(text);
  }

  /** Nanoseconds since the epoch; of the wall clock for a local timestamp. */
  #moment(value: unknown, isLocal: boolean, isMicros: boolean): bigint {
    if (typeof value === 'number' || typeof value === 'bigint') {
      const number = integerOf(value);
      if (number === undefined) throw wrong(value, 'timestamp');
      return number * (isMicros ? 1000n : 1_000_000n);
    }
    const moment = typeof value === 'string' ? this.#parseMoment(value) : value;
    if (moment instanceof LocalDateTime || moment instanceof LocalDate) {
      const second = moment instanceof LocalDate ? moment.epochDay * 86_400 : moment.localSecond;
      const nano = moment instanceof LocalDate ? 0 : moment.nano;
      return nanos(isLocal ? second : second - this.#zone.offsetFor(second), nano);
    }
    if (moment instanceof Instant || moment instanceof ZonedDateTime)
      return nanos(isLocal ? this.#localSecond(moment) : moment.epochSecond, moment.nano);
    throw wrong(value, `timestamp by the pattern ${this.#options.datetimeFormat}`);
  }

  #parseMoment(text: string): unknown {
    return (
      parseDate(text, this.#dateTime, 'en-US') ??
      parseInstant(text) ??
      parseLocalDateTime(text.replace(' ', 'T')) ??
      parseLocalDate(text)
    );
  }
}

const nanos = (second: number, nano: number): bigint => BigInt(second) * 1_000_000_000n + BigInt(nano);

function inUnit(value: bigint, kind: PlainKind): bigint {
  const unit = kind.endsWith('micros') ? 1000n : 1_000_000n;
  // Towards the past, also before the epoch.
  const rest = ((value % unit) + unit) % unit;
  return (value - rest) / unit;
}

function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  if (typeof value === 'string')
    return /^\s*[+-]?\d+\s*$/.test(value) ? BigInt(value.replace('+', '')) : undefined;
  if (value instanceof Decimal) {
    const whole = value.round(0);
    return whole.compare(value) === 0 ? whole.unscaled : undefined;
  }
  return undefined;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) throw wrong(value, 'text');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Temporal || value instanceof Decimal) return value.toString();
  return toJsonText(value, utc);
}

function uuid(value: unknown): string {
  const text = asText(value);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw wrong(value, 'UUID');
  return text.toLowerCase();
}

export function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return Buffer.from(value);
  throw wrong(value, 'bytes');
}
