import type { ZonedDateTime } from './temporal.ts';

/** An offset as the letters O, X, x and Z write it. */
export function formatOffset(letter: string, count: number, offset: number): string {
  if (letter === 'O' || (letter === 'Z' && count === 4))
    return formatGmt(offset, letter === 'O' && count === 1);
  if (letter === 'Z') return count === 5 ? formatDigits(offset, 5, true) : formatDigits(offset, 2, false);
  return formatDigits(offset, count, letter === 'X');
}

/** The name of a zone at a moment: `CET`, `Central European Standard Time`. */
export function zoneName(moment: ZonedDateTime, width: 'short' | 'long', locale: string): string {
  const { zone } = moment;
  if (zone.isOffset) return zone.id;
  if (zone.id === 'UTC' || zone.id === 'GMT' || zone.id === 'UT') {
    if (width === 'short') return zone.id;
    return zone.id === 'GMT' ? 'Greenwich Mean Time' : 'Coordinated Universal Time';
  }
  if (/^(UTC|GMT|UT)[+-]/.test(zone.id)) return zone.id;
  // A locale has only the abbreviations of its region, so several locales are tried in order.
  const locales =
    width === 'long' ? [locale] : [locale, 'en-GB', 'en-CA', 'en-AU', 'en-IN', 'en-NZ', 'en-ZA', 'ja-JP'];
  const names = locales.map((each) => readName(each, moment, width));
  return names.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? zone.id;
}

function readName(locale: string, moment: ZonedDateTime, width: 'short' | 'long'): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone: moment.zone.id, timeZoneName: width });
  const parts = format.formatToParts(moment.epochSecond * 1000);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}

function formatGmt(offset: number, isShort: boolean): string {
  if (offset === 0) return 'GMT';
  const { sign, hours, minutes, seconds } = splitOffset(offset);
  const tail = seconds === 0 ? '' : `:${two(seconds)}`;
  if (!isShort) return `GMT${sign}${two(hours)}:${two(minutes)}${tail}`;
  return `GMT${sign}${hours}${minutes === 0 && seconds === 0 ? '' : `:${two(minutes)}`}${tail}`;
}

function formatDigits(offset: number, count: number, usesZ: boolean): string {
  if (offset === 0 && usesZ) return 'Z';
  const { sign, hours, minutes, seconds } = splitOffset(offset);
  if (count === 1) return `${sign}${two(hours)}${minutes === 0 ? '' : two(minutes)}`;
  const colon = count === 3 || count === 5 ? ':' : '';
  const tail = count >= 4 && seconds !== 0 ? `${colon}${two(seconds)}` : '';
  return `${sign}${two(hours)}${colon}${two(minutes)}${tail}`;
}

function splitOffset(offset: number): { sign: string; hours: number; minutes: number; seconds: number } {
  const size = Math.abs(offset);
  const sign = offset < 0 ? '-' : '+';
  return { sign, hours: Math.floor(size / 3600), minutes: Math.floor(size / 60) % 60, seconds: size % 60 };
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
