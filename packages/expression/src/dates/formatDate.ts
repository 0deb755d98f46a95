import { calendarDateOf, dayOfWeekOf, dayOfYearOf } from './calendar.ts';
import { dateNames, type Width } from './names.ts';
import type { PatternPart } from './pattern.ts';
import type { ZonedDateTime } from './temporal.ts';
import { localDayOfWeek, weekOfMonth, weekOfYear, weekRuleOf } from './weeks.ts';
import { formatOffset, zoneName } from './zoneText.ts';

const enMonths =
  'January February March April May June July August September October November December'.split(' ');
const enDays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

/** Formats a moment by a pattern, in its own zone. */
export function formatDate(moment: ZonedDateTime, parts: readonly PatternPart[], locale: string): string {
  let text = '';
  for (const part of parts) {
    if (part.type === 'literal') text += part.text;
    else if (part.type === 'optional') text += formatDate(moment, part.parts, locale);
    else text += formatField(part.letter, part.count, moment, locale).padStart(part.pad);
  }
  return text;
}

function formatField(letter: string, count: number, moment: ZonedDateTime, locale: string): string {
  const { localSecond, nano } = moment;
  const epochDay = Math.floor(localSecond / 86_400);
  const ofDay = localSecond - epochDay * 86_400;
  const hour = Math.floor(ofDay / 3600);
  switch (letter) {
    case 'H':
      return pad(hour, count);
    case 'k':
      return pad(hour === 0 ? 24 : hour, count);
    case 'K':
      return pad(hour % 12, count);
    case 'h':
      return pad(hour % 12 === 0 ? 12 : hour % 12, count);
    case 'm':
      return pad(Math.floor(ofDay / 60) % 60, count);
    case 's':
      return pad(ofDay % 60, count);
    case 'S':
      return String(nano).padStart(9, '0').slice(0, count);
    case 'n':
      return pad(nano, count);
    case 'A':
      return pad(ofDay * 1000 + Math.floor(nano / 1_000_000), count);
    case 'N':
      return String(BigInt(ofDay) * 1_000_000_000n + BigInt(nano)).padStart(count, '0');
    case 'a':
      return isEnglish(locale)
        ? hour < 12
          ? 'AM'
          : 'PM'
        : (dateNames(locale).dayPeriods[hour < 12 ? 0 : 1] ?? '');
    case 'V':
      return moment.zone.id;
    case 'z':
      return zoneName(moment, count === 4 ? 'long' : 'short', locale);
    case 'O':
    case 'X':
    case 'x':
    case 'Z':
      return formatOffset(letter, count, moment.offset);
    default:
      return formatDay(letter, count, epochDay, locale);
  }
}

function formatDay(letter: string, count: number, epochDay: number, locale: string): string {
  const date = calendarDateOf(epochDay);
  switch (letter) {
    case 'y':
      return formatYear(date.year > 0 ? date.year : 1 - date.year, count);
    case 'u':
      return formatYear(date.year, count);
    case 'Y':
      return formatYear(weekOfYear(epochDay, weekRuleOf(locale)).year, count);
    case 'M':
    case 'L':
      return count < 3 ? pad(date.month, count) : monthName(letter, date.month - 1, widthOf(count), locale);
    case 'd':
      return pad(date.day, count);
    case 'D':
      return pad(dayOfYearOf(date), count);
    case 'F':
      return String(((date.day - 1) % 7) + 1);
    case 'Q':
    case 'q':
      return formatQuarter(Math.ceil(date.month / 3), count);
    case 'w':
      return pad(weekOfYear(epochDay, weekRuleOf(locale)).week, count);
    case 'W':
      return String(weekOfMonth(epochDay, weekRuleOf(locale)));
    case 'E':
      return dayName(dayOfWeekOf(epochDay) - 1, widthOf(Math.max(3, count)), locale);
    case 'e':
    case 'c':
      if (count < 3) return pad(localDayOfWeek(epochDay, weekRuleOf(locale)), count);
      return dayName(dayOfWeekOf(epochDay) - 1, widthOf(count), locale, letter === 'c');
    default:
      return eraName(date.year > 0 ? 1 : 0, widthOf(Math.max(3, count)), locale);
  }
}

function formatYear(year: number, count: number): string {
  if (count === 2) return pad(Math.abs(year) % 100, 2);
  const digits = pad(Math.abs(year), count);
  if (year < 0) return `-${digits}`;
  return count >= 4 && digits.length > count ? `+${digits}` : digits;
}

function formatQuarter(quarter: number, count: number): string {
  if (count < 3) return pad(quarter, count);
  if (count === 3) return `Q${quarter}`;
  return count === 4 ? `${quarter}${['st', 'nd', 'rd', 'th'][quarter - 1]} quarter` : String(quarter);
}

function monthName(letter: string, index: number, width: Width, locale: string): string {
  if (isEnglish(locale)) return shorten(enMonths[index] ?? '', width);
  const names = dateNames(locale);
  return (letter === 'M' ? names.months(width) : names.standaloneMonths(width))[index] ?? '';
}

function dayName(index: number, width: Width, locale: string, isStandalone = false): string {
  if (isEnglish(locale)) return shorten(enDays[index] ?? '', width);
  const names = dateNames(locale);
  return (isStandalone ? names.standaloneDays(width) : names.days(width))[index] ?? '';
}

function eraName(index: number, width: Width, locale: string): string {
  return dateNames(locale).eras[width][index] ?? '';
}

/** American English is by far the most used and its short names are plain prefixes. */
function isEnglish(locale: string): boolean {
  return locale === 'en-US' || locale === 'en';
}

function shorten(name: string, width: Width): string {
  return width === 'long' ? name : name.slice(0, width === 'short' ? 3 : 1);
}

function widthOf(count: number): Width {
  return count === 4 ? 'long' : count === 5 ? 'narrow' : 'short';
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
