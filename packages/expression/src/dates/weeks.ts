import { calendarDateOf, dayOfWeekOf, dayOfYearOf, epochDayOf, modulo } from './calendar.ts';

/** How a region counts weeks: the first day (1 is Monday) and how many days the first week must have. */
export interface WeekRule {
  readonly firstDay: number;
  readonly minimalDays: number;
}

export const isoWeeks: WeekRule = { firstDay: 1, minimalDays: 4 };

const sunday = new Set(
  'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'.split(
    ' ',
  ),
);
const saturday = new Set('AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'.split(' '));
const fourDays = new Set(
  'AD AN AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL PT RE RU SE SJ SK SM VA'.split(
    ' ',
  ),
);

export function weekRuleOf(locale: string): WeekRule {
  // A bare language counts like the United States, as it does in Java.
  const region = new Intl.Locale(locale).region ?? 'US';
  const firstDay = sunday.has(region) ? 7 : saturday.has(region) ? 6 : 1;
  return { firstDay, minimalDays: fourDays.has(region) ? 4 : 1 };
}

/** The day of the week counted from the region's first day. */
export function localDayOfWeek(epochDay: number, rule: WeekRule): number {
  return modulo(dayOfWeekOf(epochDay) - rule.firstDay, 7) + 1;
}

export function weekOfMonth(epochDay: number, rule: WeekRule): number {
  return weekNumber(calendarDateOf(epochDay).day, localDayOfWeek(epochDay, rule), rule);
}

/** The week and the year it belongs to, which differ from the calendar's around New Year. */
export function weekOfYear(epochDay: number, rule: WeekRule): { week: number; year: number } {
  const date = calendarDateOf(epochDay);
  const week = weekNumber(dayOfYearOf(date), localDayOfWeek(epochDay, rule), rule);
  if (week === 0) {
    const lastDay = epochDayOf(date.year - 1, 12, 31);
    return { week: weekOfYear(lastDay, rule).week, year: date.year - 1 };
  }
  return epochDay >= firstDayOfYear(date.year + 1, rule)
    ? { week: 1, year: date.year + 1 }
    : { week, year: date.year };
}

/** The day on which week 1 of a week-based year begins. */
export function firstDayOfYear(year: number, rule: WeekRule): number {
  const newYear = epochDayOf(year, 1, 1);
  const start = newYear - (localDayOfWeek(newYear, rule) - 1);
  return newYear - start >= 8 - rule.minimalDays ? start + 7 : start;
}

function weekNumber(dayCount: number, dayOfWeek: number, rule: WeekRule): number {
  const startOffset = modulo(dayCount - dayOfWeek, 7);
  const offset = startOffset + 1 > rule.minimalDays ? 7 - startOffset : -startOffset;
  return Math.floor((7 + offset + (dayCount - 1)) / 7);
}
