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
