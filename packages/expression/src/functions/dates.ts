import type { Context } from '../context.ts';
import { calendarDateOf, dayOfWeekOf, epochDayOf, lengthOfMonth } from '../dates/calendar.ts';
import { parseLocalDate, parseLocalDateTime, parseZoned } from '../dates/parseIso.ts';
import {
  Instant,
  instantOf,
  LocalDate,
  LocalDateTime,
  type Temporal,
  ZonedDateTime,
} from '../dates/temporal.ts';
import { toMoment } from '../dates/toMoment.ts';
import { type Fns, nameOf, optionalText, requireText } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { formatDateValue } from '../filters/dates.ts';
import { itemsOf } from '../values/kind.ts';
import { askHost } from './ask.ts';

const dayNames = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const positions = ['FIRST', 'SECOND', 'THIRD', 'FOURTH', 'LAST'];

/** Functions on dates. The calendar ones read a date as it is written, without moving it to another zone. */
export const dateFunctions: Fns = {
  now: {
    names: ['format', 'timeZone', 'existingFormat', 'locale'],
    run: ([format, timeZone, existingFormat, locale], context) => {
      const now = context.session.ask(() => context.session.host.now());
      return formatDateValue(instantOf(new Date(now)), { format, timeZone, existingFormat, locale }, context);
    },
  },
  dayOfWeek: {
    names: ['date'],
    required: 1,
    run: ([date], context) => dayNames[dayOfWeekOf(dayOf(date, context)) - 1],
  },
  dayOfMonth: {
    names: ['date'],
    required: 1,
    run: ([date], context) => calendarDateOf(dayOf(date, context)).day,
  },
  monthOfYear: {
    names: ['date'],
    required: 1,
    run: ([date], context) => calendarDateOf(dayOf(date, context)).month,
  },
  hourOfDay: {
    names: ['date'],
    required: 1,
    run: ([date], context) => {
      const second = localSecondOf(date, context);
      return Math.floor((second - Math.floor(second / 86_400) * 86_400) / 3600);
    },
  },
  isWeekend: {
    names: ['date'],
    required: 1,
    run: ([date], context) => dayOfWeekOf(dayOf(date, context)) >= 6,
  },
  isDayWeekInMonth: {
    names: ['date', 'dayOfWeek', 'position'],
    required: 3,
    run: ([date, dayOfWeek, position], context) =>
      isDayWeekInMonth(dayOf(date, context), dayOfWeek, position),
  },
  isLastWorkingDay: {
    names: ['date', 'workingDays'],
    required: 1,
    run: ([date, workingDays], context) => isLastWorkingDay(dayOf(date, context), workingDays),
  },
  isPublicHoliday: {
    names: ['date', 'countryCode', 'subDivision'],
    required: 1,
    run: ([date, countryCode, subDivision], context) => {
      const day = new LocalDate(dayOf(date, context)).toString();
      const country = optionalText(countryCode, 'The countryCode');
      const division = optionalText(subDivision, 'The subDivision');
      return askHost(context, 'isPublicHoliday', (ask) => ask(day, country, division));
    },
  },
  isDateBefore: {
    names: ['date', 'reference'],
    required: 2,
    run: ([date, reference], context) => compare(date, reference, context) < 0,
  },
  isDateAfter: {
    names: ['date', 'reference'],
    required: 2,
    run: ([date, reference], context) => compare(date, reference, context) > 0,
  },
  isDateBetween: {
    names: ['date', 'after', 'before'],
    required: 3,
    run: ([date, after, before], context) =>
      compare(date, after, context) > 0 && compare(date, before, context) < 0,
  },
};

function dayOf(value: unknown, context: Context): number {
  return Math.floor(localSecondOf(value, context) / 86_400);
}

function localSecondOf(value: unknown, context: Context): number {
  const time =
    value instanceof Date ? instantOf(value) : typeof value === 'string' ? parseWritten(value) : value;
  if (time instanceof ZonedDateTime || time instanceof LocalDateTime) return time.localSecond;
  if (time instanceof LocalDate) return time.epochDay * 86_400;
  if (time instanceof Instant)
    return new ZonedDateTime(time.epochSecond, time.nano, context.session.zone).localSecond;
  throw new ExpressionError(`Not a date: ${nameOf(value)}`);
}

function parseWritten(text: string): Temporal {
  const time = parseZoned(text) ?? parseLocalDateTime(text) ?? parseLocalDate(text);
  if (!time)
    throw new ExpressionError(`Text '${text.slice(0, 100)}' could not be parsed as an ISO-8601 date`);
  return time;
}

function compare(left: unknown, right: unknown, context: Context): number {
  const { zone, locale } = context.session;
  const a = toMoment(left ?? null, zone, undefined, locale);
  const b = toMoment(right ?? null, zone, undefined, locale);
  return a.epochSecond - b.epochSecond || a.nano - b.nano;
}

function isDayWeekInMonth(epochDay: number, dayOfWeek: unknown, position: unknown): boolean {
  const wanted = dayNames.indexOf(requireText(dayOfWeek, 'The dayOfWeek').toUpperCase()) + 1;
  const place = positions.indexOf(requireText(position, 'The position').toUpperCase());
  if (wanted === 0) throw new ExpressionError(`Unknown day '${dayOfWeek}': use ${dayNames.join(', ')}`);
  if (place < 0) throw new ExpressionError(`Unknown position '${position}': use ${positions.join(', ')}`);
  if (dayOfWeekOf(epochDay) !== wanted) return false;
  const { year, month, day } = calendarDateOf(epochDay);
  return place === 4 ? day + 7 > lengthOfMonth(year, month) : Math.floor((day - 1) / 7) === place;
}

function isLastWorkingDay(epochDay: number, workingDays: unknown): boolean {
  const names =
    workingDays === undefined || workingDays === null ? dayNames.slice(0, 5) : itemsOf(workingDays);
  if (!names)
    throw new ExpressionError(`The workingDays must be a list of days, found ${nameOf(workingDays)}`);
  const working = new Set(
    names.map((name) => dayNames.indexOf(requireText(name, 'A working day').toUpperCase()) + 1),
  );
  const { year, month } = calendarDateOf(epochDay);
  let last = epochDayOf(year, month, lengthOfMonth(year, month));
  for (let back = 0; back < 7 && !working.has(dayOfWeekOf(last)); back++) last--;
  return epochDay === last;
}
