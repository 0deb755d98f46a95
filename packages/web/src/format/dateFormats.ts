/** The ways a date can be written. The first four follow the language; the others are the same everywhere. */
export const dateFormats = [
  'LLLL',
  'LLL',
  'llll',
  'lll',
  'DD/MM/YYYY HH:mm:ss',
  'YYYY-MM-DD hh:mm:ss A',
  'YYYY-MM-DDTHH:mm:ssZ',
] as const;
export type DateFormat = (typeof dateFormats)[number];

/** A long form of the reader's language, unless another is chosen. */
export const defaultDateFormat: DateFormat = 'LLL';

const styles: Partial<Record<DateFormat, Intl.DateTimeFormatOptions>> = {
  LLLL: { dateStyle: 'full', timeStyle: 'medium' },
  LLL: { dateStyle: 'long', timeStyle: 'medium' },
  llll: {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  },
  lll: { dateStyle: 'medium', timeStyle: 'medium' },
};

interface Writing {
  readonly format: DateFormat;
  readonly timeZone: string | undefined;
  readonly locale: string;
}

export function writeDate(date: Date, { format, timeZone, locale }: Writing): string {
  const zone = timeZone ? { timeZone } : {};
  const style = styles[format];
  if (style) return dateTimeFormat(locale, { ...style, ...zone }).format(date);
  return fillPattern(format, date, zone);
}

function fillPattern(pattern: string, date: Date, zone: { timeZone?: string }): string {
  const parts = new Map(
    dateTimeFormat('en-GB', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
      ...zone,
    })
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const hour = Number(part('hour'));
  const values: Record<string, string> = {
    YYYY: part('year'),
    MM: part('month'),
    DD: part('day'),
    HH: part('hour'),
    hh: String(hour % 12 || 12).padStart(2, '0'),
    mm: part('minute'),
    ss: part('second'),
    A: hour < 12 ? 'AM' : 'PM',
    Z: part('timeZoneName').replace('GMT', '') || '+00:00',
  };
  return pattern.replace(/YYYY|MM|DD|HH|hh|mm|ss|A|Z/g, (token) => values[token] ?? token);
}

/** Making a format takes as long as using it a hundred times, and lists write a hundred dates: each is made once. */
const dateTimeFormats = new Map<string, Intl.DateTimeFormat>();
const relativeTimeFormats = new Map<string, Intl.RelativeTimeFormat>();

export const dateTimeFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  remembered(
    dateTimeFormats,
    `${locale} ${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(locale, options),
  );

export const relativeTimeFormat = (locale: string): Intl.RelativeTimeFormat =>
  remembered(
    relativeTimeFormats,
    locale,
    () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' }),
  );

function remembered<T>(made: Map<string, T>, key: string, make: () => T): T {
  const format = made.get(key) ?? make();
  made.set(key, format);
  return format;
}
