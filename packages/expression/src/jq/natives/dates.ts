import { calendarDateOf, dayOfWeekOf, dayOfYearOf, epochDayOf } from '../../dates/calendar.ts';
import { formatDate } from '../../dates/formatDate.ts';
import { parseDate } from '../../dates/parseDate.ts';
import { parsePattern } from '../../dates/pattern.ts';
import { LocalDate, LocalDateTime, ZonedDateTime } from '../../dates/temporal.ts';
import { findZone } from '../../dates/zone.ts';
import { describe, JqError, numberOf, typeOf } from '../values.ts';
import { type Natives, simple, withArgument } from './native.ts';

/** The directives of C's strftime, as patterns of our own dates. */
const directives = new Map([
  ['Y', 'uuuu'],
  ['m', 'MM'],
  ['d', 'dd'],
  ['e', 'ppd'],
  ['H', 'HH'],
  ['I', 'hh'],
  ['M', 'mm'],
  ['S', 'ss'],
  ['j', 'DDD'],
  ['y', 'yy'],
  ['B', 'MMMM'],
  ['b', 'MMM'],
  ['h', 'MMM'],
  ['A', 'EEEE'],
  ['a', 'EEE'],
  ['p', 'a'],
  ['Z', 'z'],
  ['z', 'xx'],
  ['F', 'uuuu-MM-dd'],
  ['T', 'HH:mm:ss'],
  ['R', 'HH:mm'],
  ['D', 'MM/dd/yy'],
  ['c', 'EEE MMM ppd HH:mm:ss uuuu'],
  ['n', '\n'],
  ['t', '\t'],
  ['%', '%'],
]);

/** Functions on dates; a "broken down time" is [year, month from 0, day, hour, minute, second, weekday, day of year]. */
export const dateNatives: Natives = {
  'now/0': simple((_, session) => session.ask(() => session.host.now()) / 1000),
  'gmtime/0': simple((value) => breakDown(requireNumber(value))),
  'mktime/0': simple((value) => Math.floor(secondsOf(value))),
  'strftime/1': withArgument((value, format) => {
    const seconds = typeOf(value) === 'number' ? numberOf(value) : secondsOf(value);
    if (typeof format !== 'string') throw new JqError('strftime/1 requires a string format');
    const moment = new ZonedDateTime(Math.floor(seconds), 0, findZone('UTC'));
    if (format === '%s') return String(Math.floor(seconds));
    return formatDate(moment, parsePattern(translate(format)), 'en-US');
  }),
  'strptime/1': withArgument((value, format) => {
    if (typeof value !== 'string' || typeof format !== 'string')
      throw new JqError(`strptime/1 requires string inputs and arguments`);
    const parsed = parseDate(value, parsePattern(translate(format)), 'en-US');
    if (parsed instanceof ZonedDateTime) return breakDown(parsed.epochSecond);
    if (parsed instanceof LocalDateTime) return breakDown(parsed.localSecond);
    if (parsed instanceof LocalDate) return breakDown(parsed.epochDay * 86_400);
    throw new JqError(`date "${value}" does not match format "${format}"`);
  }),
};

function translate(format: string): string {
  return format.replace(/%([A-Za-z%])|([^%]+)|%/g, (piece, directive?: string, text?: string) => {
    if (text !== undefined) return `'${text.replaceAll("'", "''")}'`;
    const pattern = directives.get(directive ?? '');
    if (pattern === undefined) throw new JqError(`Unknown date directive ${piece}`);
    return pattern;
  });
}

function breakDown(seconds: number): number[] {
  if (!(Math.abs(seconds) < 1e14))
    throw new JqError('error converting number of seconds since epoch to datetime');
  const day = Math.floor(seconds / 86_400);
  const rest = seconds - day * 86_400;
  const date = calendarDateOf(day);
  const [hour, minute] = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60];
  return [
    date.year,
    date.month - 1,
    date.day,
    hour,
    minute,
    rest % 60,
    dayOfWeekOf(day) % 7,
    dayOfYearOf(date) - 1,
  ];
}

function secondsOf(value: unknown): number {
  if (!Array.isArray(value) || value.length < 6 || value.some((part) => typeOf(part) !== 'number')) {
    throw new JqError('mktime requires array of 6 numbers');
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = value.map(numberOf);
  return epochDayOf(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second;
}

function requireNumber(value: unknown): number {
  if (typeOf(value) !== 'number') throw new JqError(`${describe(value)} number required`);
  return numberOf(value);
}
