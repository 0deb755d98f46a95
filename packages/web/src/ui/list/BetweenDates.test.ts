import { expect, it } from 'vitest';
import { type CalendarPeriod, rangeOfPeriod } from './BetweenDates.tsx';

// A Sunday evening in Berlin that is Monday already in Tokyo, in the night when Berlin's clocks have changed.
const nowMs = Date.parse('2026-03-29T20:00:00Z');

it.each<[CalendarPeriod, string, string, string]>([
  ['today', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.000Z'],
  ['yesterday', 'Europe/Berlin', '2026-03-27T23:00:00.000Z', '2026-03-28T22:59:59.000Z'],
  ['dayBefore', 'UTC', '2026-03-27T00:00:00.000Z', '2026-03-27T23:59:59.000Z'],
  ['thisWeek', 'UTC', '2026-03-23T00:00:00.000Z', '2026-03-29T23:59:59.000Z'],
  ['thisWeek', 'Asia/Tokyo', '2026-03-29T15:00:00.000Z', '2026-04-05T14:59:59.000Z'],
  ['previousWeek', 'UTC', '2026-03-16T00:00:00.000Z', '2026-03-22T23:59:59.000Z'],
  ['thisMonth', 'UTC', '2026-03-01T00:00:00.000Z', '2026-03-31T23:59:59.000Z'],
  ['previousMonth', 'UTC', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.000Z'],
  ['thisYear', 'UTC', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.000Z'],
  ['previousYear', 'UTC', '2025-01-01T00:00:00.000Z', '2025-12-31T23:59:59.000Z'],
])('%s in %s is from %s to %s', (period, timeZone, start, end) => {
  expect(rangeOfPeriod(period, nowMs, timeZone)).toEqual({ kind: 'absolute', start, end });
});
