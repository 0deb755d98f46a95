import { expect, it } from 'vitest';
import { fitted } from './buckets.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-11-18T11:20:00Z');
const entries = (...dates: string[]) => dates.map((date) => Date.parse(date));

/** Days for more than two of them, then hours, then minutes: as the server divides a window. */
const reader = (at: readonly number[], asked: string[]) => async (window: { startDate: string }) => {
  asked.push(window.startDate);
  const from = Date.parse(window.startDate);
  const step = now - from > 2 * dayMs ? dayMs : now - from > 7_200_000 ? 3_600_000 : 60_000;
  const first = from - (from % step);
  return Array.from({ length: Math.floor((now - first) / step) + 1 }, (_, index) => {
    const start = first + index * step;
    const n = at.filter((one) => one >= start && one < start + step).length;
    return { start: new Date(start).toISOString(), n };
  });
};
const reading = {
  startOf: ({ start }: { start: string }) => start,
  isEmpty: ({ n }: { n: number }) => n === 0,
};
const month = { startDate: new Date(now - 30 * dayMs).toISOString() };

it.each([
  ['spread over the range', entries('2026-10-25T10:00:00Z', '2026-11-18T10:00:00Z'), 1, undefined],
  ['of the last day', entries('2026-11-18T02:05:00Z', '2026-11-18T11:00:00Z'), 2, '2026-11-18T00:00'],
  ['of the last hour', entries('2026-11-18T11:05:00Z'), 3, '2026-11-18T11:00'],
  ['that do not exist', [], 1, undefined],
])('a chart of entries %s begins where they do', async (_, at, calls, begin) => {
  const asked: string[] = [];
  const buckets = await fitted(month, reader(at, asked), reading);
  expect(asked).toHaveLength(calls);
  expect(buckets.reduce((sum, { n }) => sum + n, 0)).toBe(at.length);
  if (begin) expect(buckets[0]?.start).toContain(begin);
});
