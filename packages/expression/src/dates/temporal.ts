import { ExpressionError } from '../error.ts';
import { calendarDateOf } from './calendar.ts';
import { offsetText, type Zone } from './zone.ts';

/** The dates and times an expression can hold. `toString` is the printed form, `jsonText` the one inside JSON. */
export abstract class Temporal {
  abstract readonly kind: string;
  abstract toString(): string;

  jsonText(_zone: Zone): string {
    return this.toString();
  }
}

export class Instant extends Temporal {
  readonly kind = 'Instant';
  readonly epochSecond: number;
  readonly nano: number;

  constructor(epochSecond: number, nano: number) {
    super();
    this.epochSecond = epochSecond;
    this.nano = nano;
  }

  override toString(): string {
    return `${dateText(Math.floor(this.epochSecond / 86_400))}T${clockText(this.epochSecond)}${groupedFraction(this.nano)}Z`;
  }
}

export class LocalDate extends Temporal {
  readonly kind = 'LocalDate';
  readonly epochDay: number;

  constructor(epochDay: number) {
    super();
    this.epochDay = epochDay;
  }

  override toString(): string {
    return dateText(this.epochDay);
  }
}

export class LocalTime extends Temporal {
  readonly kind = 'LocalTime';
  readonly secondOfDay: number;
  readonly nano: number;

  constructor(secondOfDay: number, nano: number) {
    super();
    this.secondOfDay = secondOfDay;
    this.nano = nano;
  }

  override toString(): string {
    return shortClockText(this.secondOfDay, this.nano);
  }
}

/** A date and time without a zone, as seconds since the epoch were it UTC. */
export class LocalDateTime extends Temporal {
  readonly kind = 'LocalDateTime';
  readonly localSecond: number;
  readonly nano: number;

  constructor(localSecond: number, nano: number) {
    super();
    this.localSecond = localSecond;
    this.nano = nano;
  }

  override toString(): string {
    return `${dateText(Math.floor(this.localSecond / 86_400))}T${shortClockText(this.localSecond, this.nano)}`;
  }
}

export class ZonedDateTime extends Temporal {
  readonly kind = 'ZonedDateTime';
  readonly epochSecond: number;
  readonly nano: number;
  readonly offset: number;
  readonly zone: Zone;

  constructor(epochSecond: number, nano: number, zone: Zone, offset = zone.offsetAt(epochSecond)) {
    super();
    this.epochSecond = epochSecond;
    this.nano = nano;
    this.zone = zone;
    this.offset = offset;
  }

  static ofLocal(localSecond: number, nano: number, zone: Zone, preferred?: number): ZonedDateTime {
    return new ZonedDateTime(localSecond - zone.offsetFor(localSecond, preferred), nano, zone);
  }

  get localSecond(): number {
    return this.epochSecond + this.offset;
  }

  in(zone: Zone): ZonedDateTime {
    return new ZonedDateTime(this.epochSecond, this.nano, zone);
  }

  override toString(): string {
    const local = new LocalDateTime(this.localSecond, this.nano).toString();
    return `${local}${offsetText(this.offset)}${this.zone.isOffset ? '' : `[${this.zone.id}]`}`;
  }

  override jsonText(zone: Zone): string {
    const { localSecond, nano, offset } = this.in(zone);
    const day = dateText(Math.floor(localSecond / 86_400));
    return `${day}T${clockText(localSecond)}${plainFraction(nano)}${offsetText(offset)}`;
  }
}

export class Duration extends Temporal {
  readonly kind = 'Duration';
  readonly seconds: number;
  readonly nano: number;

  constructor(seconds: number, nano: number) {
    super();
    this.seconds = seconds;
    this.nano = nano;
  }

  override toString(): string {
    if (this.seconds === 0 && this.nano === 0) return 'PT0S';
    // Java carries the fraction upwards, so that minus half a second reads PT-0.5S.
    const whole = this.seconds < 0 && this.nano > 0 ? this.seconds + 1 : this.seconds;
    const fraction = this.seconds < 0 && this.nano > 0 ? 1_000_000_000 - this.nano : this.nano;
    const hours = Math.trunc(whole / 3600);
    const minutes = Math.trunc((whole % 3600) / 60);
    const seconds = whole % 60;
    let text = 'PT';
    if (hours !== 0) text += `${hours}H`;
    if (minutes !== 0) text += `${minutes}M`;
    if (seconds === 0 && fraction === 0) return text;
    const sign = this.seconds < 0 && seconds === 0 ? '-' : '';
    return `${text}${sign}${seconds === 0 ? 0 : seconds}${plainFraction(fraction)}S`;
  }
}

/** A JavaScript date is an instant to an expression. */
export function instantOf(date: Date): Instant {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new ExpressionError('The date is invalid');
  return new Instant(Math.floor(time / 1000), (time - Math.floor(time / 1000) * 1000) * 1_000_000);
}

/** The number of seconds with nine decimals: the form of a duration inside JSON. */
export function durationSeconds(duration: Duration): string {
  const nanos = BigInt(duration.seconds) * 1_000_000_000n + BigInt(duration.nano);
  const digits = String(nanos < 0n ? -nanos : nanos).padStart(10, '0');
  return `${nanos < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

export function dateText(epochDay: number): string {
  const { year, month, day } = calendarDateOf(epochDay);
  return `${yearText(year)}-${two(month)}-${two(day)}`;
}

export function yearText(year: number): string {
  if (year > 9999) return `+${year}`;
  return year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');
}

/** `HH:mm:ss` of any second count. */
export function clockText(second: number): string {
  const ofDay = second - Math.floor(second / 86_400) * 86_400;
  return `${two(Math.floor(ofDay / 3600))}:${two(Math.floor(ofDay / 60) % 60)}:${two(ofDay % 60)}`;
}

/** As Java prints a local time: seconds left out when zero, fraction in groups of three. */
function shortClockText(second: number, nano: number): string {
  const text = clockText(second);
  return nano === 0 && text.endsWith(':00') ? text.slice(0, 5) : text + groupedFraction(nano);
}

function groupedFraction(nano: number): string {
  if (nano === 0) return '';
  const digits = String(nano).padStart(9, '0');
  if (nano % 1_000_000 === 0) return `.${digits.slice(0, 3)}`;
  return nano % 1000 === 0 ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

/** `.5`, `.123`: all digits that matter and no more. */
export function plainFraction(nano: number): string {
  return nano === 0 ? '' : `.${String(nano).padStart(9, '0').replace(/0+$/, '')}`;
}

export function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
