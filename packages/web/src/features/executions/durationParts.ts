/** The units a duration is put together from, the longest first. */
export const durationUnits = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const;
export type DurationUnit = (typeof durationUnits)[number];
export type DurationParts = Readonly<Partial<Record<DurationUnit, number>>>;

const written =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

/** The parts of an ISO 8601 duration; undefined when the text is something else. */
export function partsOf(text: string): DurationParts | undefined {
  if (text === '') return {};
  const found = written.exec(text);
  if (!found) return undefined;
  return Object.fromEntries(
    durationUnits.flatMap((unit, index) => {
      const value = found[index + 1];
      return value === undefined ? [] : [[unit, Number(value)]];
    }),
  );
}

/**
 * The duration as the server reads it. It has a fixed length, so a year counts 365 days, a month 30 and a week 7.
 * Empty while nothing is given.
 */
export function durationOf(parts: DurationParts): string {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = parts;
  if (durationUnits.every((unit) => parts[unit] === undefined)) return '';
  const date = years * 365 + months * 30 + weeks * 7 + days;
  const time = [hours && `${hours}H`, minutes && `${minutes}M`, seconds && `${seconds}S`].filter(Boolean);
  if (date === 0 && time.length === 0) return 'PT0S';
  return `P${date ? `${date}D` : ''}${time.length > 0 ? `T${time.join('')}` : ''}`;
}
