/** Proleptic Gregorian calendar on day numbers (0 is 1970-01-01), free of any zone. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const daysPerEra = 146_097;
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

export function epochDayOf(year: number, month: number, day: number): number {
  // Years counted from March put the leap day last, which makes the month lengths regular.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysPerEra + dayOfEra - 719_468;
}

export function calendarDateOf(epochDay: number): CalendarDate {
  const shifted = epochDay + 719_468;
  const era = Math.floor(shifted / daysPerEra);
  const dayOfEra = shifted - era * daysPerEra;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1 };
}

/** 1 is Monday, 7 is Sunday. */
export function dayOfWeekOf(epochDay: number): number {
  return modulo(epochDay + 3, 7) + 1;
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function lengthOfMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export function dayOfYearOf(date: CalendarDate): number {
  return (daysBefore[date.month - 1] ?? 0) + date.day + (date.month > 2 && isLeapYear(date.year) ? 1 : 0);
}

/** A date some months away; the day is pulled back to the end of a shorter month. */
export function plusMonths(epochDay: number, months: number): number {
  const date = calendarDateOf(epochDay);
  const total = date.year * 12 + date.month - 1 + months;
  const year = Math.floor(total / 12);
  const month = modulo(total, 12) + 1;
  return epochDayOf(year, month, Math.min(date.day, lengthOfMonth(year, month)));
}

export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
