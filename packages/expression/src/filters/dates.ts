import type { Context } from '../context.ts';
import { addTime } from '../dates/addTime.ts';
import { formatMoment } from '../dates/namedFormats.ts';
import { findLocale } from '../dates/names.ts';
import type { ZonedDateTime } from '../dates/temporal.ts';
import { toMoment } from '../dates/toMoment.ts';
import { findZone, type Zone } from '../dates/zone.ts';
import { type Filters, optionalText, requireInteger, requireText } from '../definition.ts';

/** Filters on dates; all return text or integer timestamps. */
export const dateFilters: Filters = {
  date: {
    names: ['format', 'timeZone', 'existingFormat', 'locale'],
    run: (input, [format, timeZone, existingFormat, locale], context) =>
      formatDateValue(input, { format, timeZone, existingFormat, locale }, context),
  },
  dateAdd: {
    names: ['amount', 'unit', 'format', 'timeZone', 'existingFormat', 'locale'],
    required: 2,
    run: (input, [amount, unit, format, timeZone, existingFormat, locale], context) => {
      const moment = readMoment(input, timeZone, existingFormat, locale, context);
      const count = requireInteger(amount, 'The amount of dateAdd');
      const moved = addTime(moment, count, requireText(unit, 'The unit of dateAdd'));
      return writeMoment(moved, { format, timeZone, existingFormat, locale }, context);
    },
  },
  timestamp: {
    names: ['timeZone', 'existingFormat'],
    run: (input, [timeZone, existingFormat], context) =>
      readMoment(input, timeZone, existingFormat, undefined, context).epochSecond,
  },
  timestampMilli: timestampIn(1_000_000n),
  timestampMicro: timestampIn(1_000n),
  timestampNano: timestampIn(1n),
};

export interface DateArguments {
  readonly format: unknown;
  readonly timeZone: unknown;
  readonly existingFormat: unknown;
  readonly locale: unknown;
}

/** Formats any value that can be a date; `now()` uses it too. */
export function formatDateValue(input: unknown, args: DateArguments, context: Context): string {
  return writeMoment(
    readMoment(input, args.timeZone, args.existingFormat, args.locale, context),
    args,
    context,
  );
}

function writeMoment(
  moment: ZonedDateTime,
  { format, timeZone, locale }: DateArguments,
  context: Context,
): string {
  const pattern = optionalText(format, 'The format') ?? 'iso';
  return formatMoment(moment.in(zoneOf(timeZone, context)), pattern, localeOf(locale, context));
}

function readMoment(
  input: unknown,
  timeZone: unknown,
  existingFormat: unknown,
  locale: unknown,
  context: Context,
): ZonedDateTime {
  const format = optionalText(existingFormat, 'The existingFormat');
  return toMoment(input, zoneOf(timeZone, context), format, localeOf(locale, context));
}

function zoneOf(timeZone: unknown, context: Context): Zone {
  const id = optionalText(timeZone, 'The timeZone');
  return id === undefined ? context.session.zone : findZone(id);
}

function localeOf(locale: unknown, context: Context): string {
  const name = optionalText(locale, 'The locale');
  return name === undefined ? context.session.locale : findLocale(name);
}

/** The moment in a unit finer than seconds, as text, because many JSON readers cannot hold such numbers. */
function timestampIn(nanosPerUnit: bigint): Filters[string] {
  return {
    names: ['timeZone', 'existingFormat'],
    run: (input, [timeZone, existingFormat], context) => {
      const moment = readMoment(input, timeZone, existingFormat, undefined, context);
      const total = BigInt(moment.epochSecond) * 1_000_000_000n + BigInt(moment.nano);
      return String((total - (((total % nanosPerUnit) + nanosPerUnit) % nanosPerUnit)) / nanosPerUnit);
    },
  };
}
