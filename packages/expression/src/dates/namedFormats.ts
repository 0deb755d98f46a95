import { calendarDateOf, dayOfWeekOf, dayOfYearOf } from './calendar.ts';
import { formatDate } from './formatDate.ts';
import { parsePattern } from './pattern.ts';
import {
  clockText,
  dateText,
  Instant,
  plainFraction,
  two,
  yearText,
  type ZonedDateTime,
} from './temporal.ts';
import { isoWeeks, weekOfYear } from './weeks.ts';
import { offsetText } from './zone.ts';

type Writer = (moment: ZonedDateTime, locale: string) => string;

/** Names that stand for a pattern. */
export const namedPatterns: ReadonlyMap<string, string> = new Map([
  ['iso', "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"],
  ['iso_sec', "yyyy-MM-dd'T'HH:mm:ssXXX"],
  ['sql', 'yyyy-MM-dd HH:mm:ss.SSSSSS'],
  ['sql_seq', 'yyyy-MM-dd HH:mm:ss'],
]);

/** Names whose output no pattern can express: optional parts, fractions as long as needed, styles of a locale. */
const writers: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['iso_date_time', (moment) => localText(moment) + offsetText(moment.offset) + regionText(moment)],
  ['iso_zoned_date_time', (moment) => localText(moment) + offsetText(moment.offset) + regionText(moment)],
  ['iso_offset_date_time', (moment) => localText(moment) + offsetText(moment.offset)],
  ['iso_local_date_time', (moment) => localText(moment)],
  ['iso_date', (moment) => dayText(moment) + offsetText(moment.offset)],
  ['iso_offset_date', (moment) => dayText(moment) + offsetText(moment.offset)],
  ['iso_local_date', (moment) => dayText(moment)],
  [
    'basic_iso_date',
    (moment) => dayText(moment).replaceAll('-', '') + offsetText(moment.offset).replace(':', ''),
  ],
  ['iso_time', (moment) => timeText(moment) + offsetText(moment.offset)],
  ['iso_offset_time', (moment) => timeText(moment) + offsetText(moment.offset)],
  ['iso_local_time', (moment) => timeText(moment)],
  ['iso_instant', (moment) => new Instant(moment.epochSecond, moment.nano).toString()],
  ['iso_ordinal_date', (moment) => ordinalText(moment) + offsetText(moment.offset)],
  ['iso_week_date', (moment) => weekText(moment) + offsetText(moment.offset)],
  ['rfc_1123_date_time', writeRfc1123],
  ['full', (moment, locale) => writeStyle('full', moment, locale)],
  ['long', (moment, locale) => writeStyle('long', moment, locale)],
  ['medium', (moment, locale) => writeStyle('medium', moment, locale)],
  ['short', (moment, locale) => writeStyle('short', moment, locale)],
]);

/** Writes a moment by the name of a format or by a pattern. */
export function formatMoment(moment: ZonedDateTime, format: string, locale: string): string {
  const writer = writers.get(format.toLowerCase());
  if (writer) return writer(moment, locale);
  return formatDate(moment, parsePattern(namedPatterns.get(format.toLowerCase()) ?? format), locale);
}

function dayText(moment: ZonedDateTime): string {
  return dateText(Math.floor(moment.localSecond / 86_400));
}

function timeText(moment: ZonedDateTime): string {
  return clockText(moment.localSecond) + plainFraction(moment.nano);
}

function localText(moment: ZonedDateTime): string {
  return `${dayText(moment)}T${timeText(moment)}`;
}

function regionText(moment: ZonedDateTime): string {
  return moment.zone.isOffset ? '' : `[${moment.zone.id}]`;
}

function ordinalText(moment: ZonedDateTime): string {
  const date = calendarDateOf(Math.floor(moment.localSecond / 86_400));
  return `${yearText(date.year)}-${String(dayOfYearOf(date)).padStart(3, '0')}`;
}

function weekText(moment: ZonedDateTime): string {
  const epochDay = Math.floor(moment.localSecond / 86_400);
  const { week, year } = weekOfYear(epochDay, isoWeeks);
  return `${yearText(year)}-W${two(week)}-${dayOfWeekOf(epochDay)}`;
}

function writeRfc1123(moment: ZonedDateTime): string {
  const day = formatDate(moment, parsePattern('EEE, d MMM yyyy HH:mm:ss'), 'en-US');
  return `${day} ${moment.offset === 0 ? 'GMT' : formatDate(moment, parsePattern('xx'), 'en-US')}`;
}

/** The styles of American English are spelled out, because runtimes disagree on the space before AM and PM. */
const english: { readonly [style: string]: string } = {
  full: "EEEE, MMMM d, yyyy 'at' h:mm:ss a zzzz",
  long: "MMMM d, yyyy 'at' h:mm:ss a z",
  medium: 'MMM d, yyyy, h:mm:ss a',
  short: 'M/d/yy, h:mm a',
};

function writeStyle(
  style: 'full' | 'long' | 'medium' | 'short',
  moment: ZonedDateTime,
  locale: string,
): string {
  const pattern = english[style];
  if ((locale === 'en-US' || locale === 'en') && pattern)
    return formatDate(moment, parsePattern(pattern), locale);
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: style,
    timeStyle: style,
    // A zone given as a bare offset is shown through a UTC clock that was moved by it.
    timeZone: moment.zone.isOffset ? 'UTC' : moment.zone.id,
  });
  const second = moment.zone.isOffset ? moment.localSecond : moment.epochSecond;
  return format.format(second * 1000).replaceAll('\u202f', ' ');
}
