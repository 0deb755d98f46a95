import { importModule } from '@millrace/plugin-kit';

/** Public holidays by day, of one country or part of it and one year. */
type Days = ReadonlySet<string>;

const known = new Map<string, Days>();
const maxKnown = 200;

/**
 * Whether a day (`2026-10-03`) is a public holiday. The calendar is a large table, so it is loaded on first
 * use. Without a country, the country of the server's locale applies.
 */
export async function isPublicHoliday(day: string, country?: string, subDivision?: string): Promise<boolean> {
  const code = (country ?? serverCountry()).toUpperCase();
  // The ISO 3166-2 code is `DE-BY`; users also write `BY`.
  const division = subDivision?.toUpperCase().replace(`${code}-`, '');
  const year = Number(day.slice(0, 4));
  const key = `${code}/${division ?? ''}/${year}`;
  const days = known.get(key) ?? (await readDays(code, division, year));
  if (known.size >= maxKnown) known.clear();
  known.set(key, days);
  return days.has(day);
}

const serverCountry = (): string =>
  new Intl.Locale(Intl.DateTimeFormat().resolvedOptions().locale).maximize().region ?? 'US';

async function readDays(country: string, division: string | undefined, year: number): Promise<Days> {
  const { default: Holidays } = await importModule<typeof import('date-holidays')>('date-holidays');
  if (Holidays.prototype.getCountries.call(new Holidays())[country] === undefined) {
    throw new Error(`There is no calendar of public holidays for the country "${country}".`);
  }
  const calendar = division === undefined ? new Holidays(country) : new Holidays(country, division);
  if (division !== undefined && calendar.getStates(country)?.[division] === undefined) {
    throw new Error(`There is no calendar of public holidays for "${division}" in the country "${country}".`);
  }
  const days = new Set<string>();
  for (const { date, start, end, type } of calendar.getHolidays(year)) {
    if (type !== 'public') continue;
    const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs));
    const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
    for (let count = 0; count < length; count++) {
      days.add(new Date(first + count * dayMs).toISOString().slice(0, 10));
    }
  }
  return days;
}

const dayMs = 24 * 60 * 60 * 1000;
