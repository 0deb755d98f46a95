import { expect, it } from 'vitest';
import { timeLabels, timeline } from './timeline.ts';

it('S2-2.18 days without anything keep their place on the axis, from the beginning of the window to its end', () => {
  expect(timeline(['2026-03-04', '2026-03-02'])).toEqual(['2026-03-02', '2026-03-03', '2026-03-04']);
  expect(
    timeline(['2026-03-02'], { startDate: '2026-03-01T07:00:00Z', endDate: '2026-03-03T07:00:00Z' }),
  ).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
});

it('hours keep theirs, and say which hour they are', () => {
  expect(timeline(['2026-03-01 23:00:00', '2026-03-02 01:00:00'])).toEqual([
    '2026-03-01 23:00:00',
    '2026-03-02 00:00:00',
    '2026-03-02 01:00:00',
  ]);
  expect(timeLabels(['2026-03-01 23:00:00'], 'en-GB')).toEqual(['1 Mar, 23:00']);
  expect(timeLabels(['2026-03-01'], 'en-GB')).toEqual(['1 Mar']);
});

it('S2-2.18 weeks are filled across the end of a year and read as their days', () => {
  const window = { startDate: '2025-12-15T07:00:00Z', endDate: '2026-06-15T07:00:00Z' };
  const places = timeline(['2026-02'], window);
  expect(places.slice(0, 5)).toEqual(['2025-51', '2025-52', '2026-01', '2026-02', '2026-03']);
  expect(places.at(-1)).toBe('2026-25');
  expect(timeLabels(['2025-51', '2026-01', '2026-09'], 'en-GB', window)).toEqual([
    '15 Dec – 21 Dec',
    '29 Dec – 4 Jan',
    '23 Feb – 1 Mar',
  ]);
});

it('S2-2.18 months of a window of more than a year are filled and read by their names', () => {
  const window = { startDate: '2025-11-20T07:00:00Z', endDate: '2026-12-01T07:00:00Z' };
  const places = timeline(['2026-02'], window);
  expect(places.slice(0, 3)).toEqual(['2025-11', '2025-12', '2026-01']);
  expect(timeLabels(['2025-11', '2026-02'], 'en-GB', window)).toEqual(['Nov 2025', 'Feb 2026']);
});

it('places that are no dates stay as they came', () => {
  expect(timeline(['2026-45', '–'])).toEqual(['2026-45', '–']);
  expect(timeLabels(['2026-45', '–'], 'en')).toEqual(['2026-45', '–']);
});

it('a window of more buckets than an axis can show is not filled', () => {
  const window = { startDate: '2000-01-01T00:00:00Z', endDate: '2026-03-03T07:00:00Z' };
  expect(timeline(['2026-03-02'], window)).toEqual(['2026-03-02']);
});
