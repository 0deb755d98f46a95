import { expect, test } from 'vitest';
import { isPublicHoliday } from './holidayCalendar.ts';

test.each([
  ['2026-07-14', 'FR', undefined, true],
  ['2026-07-15', 'FR', undefined, false],
  ['2026-10-03', 'de', undefined, true],
  ['2026-01-06', 'DE', undefined, false],
  ['2026-01-06', 'DE', 'DE-BY', true],
  ['2026-01-06', 'DE', 'by', true],
  ['2026-12-25', 'GB', undefined, true],
  ['2027-01-01', 'US', undefined, true],
])('%s in %s %s: %s', async (day, country, division, isHoliday) => {
  expect(await isPublicHoliday(day, country, division)).toBe(isHoliday);
});

test('an unknown country or region is named', async () => {
  await expect(isPublicHoliday('2026-01-01', 'XX')).rejects.toThrow('for the country "XX"');
  await expect(isPublicHoliday('2026-01-01', 'DE', 'ZZ')).rejects.toThrow('"ZZ" in the country "DE"');
});
