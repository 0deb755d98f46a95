import { ExpressionError } from '../error.ts';
import { GenerationCache } from '../generationCache.ts';

export type Width = 'long' | 'short' | 'narrow';

/** The names a locale gives to the parts of a date; lists start with January, Monday, AM. */
export interface DateNames {
  /** Inside a date, which some languages inflect. */
  months(width: Width): readonly string[];
  /** Standalone forms, for the pattern letter L. */
  standaloneMonths(width: Width): readonly string[];
  days(width: Width): readonly string[];
  standaloneDays(width: Width): readonly string[];
  readonly dayPeriods: readonly string[];
  readonly eras: { readonly [width in Width]: readonly string[] };
}

const cache = new GenerationCache<string, DateNames>(50);
const noon = (month: number, day: number) => new Date(Date.UTC(2024, month, day, 12));

/** `fr`, `fr_FR` and `fr-FR` all name a locale. */
export function findLocale(name: string): string {
  try {
    return Intl.getCanonicalLocales(name.replaceAll('_', '-'))[0] ?? 'en-US';
  } catch (cause) {
    throw new ExpressionError(`Unknown locale '${name}'`, 'error', { cause });
  }
}

export function dateNames(locale: string): DateNames {
  const known = cache.get(locale);
  if (known) return known;
  const lists = new Map<string, readonly string[]>();
  const once = (key: string, make: () => readonly string[]) => {
    const list = lists.get(key) ?? make();
    lists.set(key, list);
    return list;
  };
  const names: DateNames = {
    months: (width) => once(`m${width}`, () => listMonths(locale, width, { day: 'numeric' })),
    standaloneMonths: (width) => once(`s${width}`, () => listMonths(locale, width, {})),
    days: (width) => once(`d${width}`, () => listDays(locale, width, { day: 'numeric', month: 'short' })),
    standaloneDays: (width) => once(`t${width}`, () => listDays(locale, width, {})),
    get dayPeriods() {
      const hours = [9, 15].map((hour) => new Date(Date.UTC(2024, 0, 1, hour)));
      return once('p', () => listNames(locale, { hour: 'numeric', hour12: true }, 'dayPeriod', hours));
    },
    get eras() {
      const list = (width: Width) =>
        once(`e${width}`, () =>
          listNames(locale, { era: width }, 'era', [new Date(Date.UTC(-100, 0)), noon(0, 1)]),
        );
      return { long: list('long'), short: list('short'), narrow: list('narrow') };
    },
  };
  cache.set(locale, names);
  return names;
}

function listMonths(locale: string, width: Width, extra: Intl.DateTimeFormatOptions): readonly string[] {
  const months = range(12, (month) => noon(month, 1));
  const names = listNames(locale, { month: width, ...extra }, 'month', months);
  if (names.every((name) => !/^\d+$/.test(name)) || width === 'narrow') return names;
  // Where a month is a number and a word (3月) the runtime calls the word a literal; on its own it is whole.
  const format = new Intl.DateTimeFormat(locale, { month: width, timeZone: 'UTC', calendar: 'gregory' });
  return months.map((month) => format.format(month));
}

function listDays(locale: string, width: Width, extra: Intl.DateTimeFormatOptions): readonly string[] {
  // 1 January 2024 was a Monday.
  const days = range(7, (day) => noon(0, day + 1));
  return listNames(locale, { weekday: width, ...extra }, 'weekday', days);
}

function listNames(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  type: Intl.DateTimeFormatPartTypes,
  dates: readonly Date[],
): readonly string[] {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' });
  return dates.map(
    (date) =>
      format
        .formatToParts(date)
        .find((part) => part.type === type)
        ?.value.replaceAll('\u202f', '\u00a0') ?? '',
  );
}

function range<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}
