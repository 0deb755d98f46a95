import { expect, it } from 'vitest';
import { growthOf, lowest } from './growth.ts';

const series = (values: readonly number[]) => values.map((value, index) => ({ atMs: index * 1_000, value }));

it.each([
  ['what stays', [100, 100, 100, 100, 100, 100], 0],
  ['what only filled up at first', [10, 60, 100, 100, 100, 100, 100, 100, 100], 0],
  ['what shrinks', [100, 100, 100, 90, 80, 70], 0],
  ['what goes on growing', [100, 110, 120, 130, 140, 150, 160, 170, 180], 100 * (50 / 155)],
])('the growth of %s', (_name, values, expected) => {
  expect(growthOf(series(values))).toBeCloseTo(expected, 5);
});

it('a saw of garbage counts by what each collection leaves', () => {
  const saw = series([5, 9, 4, 5, 8, 4, 6, 9, 4, 7, 9, 4, 5, 9, 4]);
  expect(lowest(saw, 3).map(({ value }) => value)).toEqual([4, 4, 4, 4, 4]);
  expect(growthOf(lowest(saw, 3))).toBe(0);
});
