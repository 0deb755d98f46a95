import { expect, it } from 'vitest';
import { timeLabel, timeline } from './timeline.ts';

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
  expect(timeLabel('2026-03-01 23:00:00', 'en-GB')).toBe('1 Mar, 23:00');
  expect(timeLabel('2026-03-01', 'en-GB')).toBe('1 Mar');
});

it.each([[['2026-09', '2026-11']], [['2026-45', '–']]])('weeks and months %j stay as they came', (places) => {
  expect(timeline(places)).toEqual(places);
  expect(timeLabel(places[0] ?? '', 'en')).toBe(places[0]);
});

it('a window of more buckets than an axis can show is not filled', () => {
  const window = { startDate: '2000-01-01T00:00:00Z', endDate: '2026-03-03T07:00:00Z' };
  expect(timeline(['2026-03-02'], window)).toEqual(['2026-03-02']);
});
