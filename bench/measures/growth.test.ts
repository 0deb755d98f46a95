import { expect, it } from 'vitest';
import { beyond, floorGrowthOf, growthOf } from './growth.ts';

const series = (values: readonly number[]) => values.map((value, index) => ({ atMs: index * 1_000, value }));

it.each([
  ['what stays', [100, 100, 100, 100, 100, 100], 0],
  ['what only filled up at first', [10, 60, 100, 100, 100, 100, 100, 100, 100], 0],
  ['what shrinks', [100, 100, 100, 90, 80, 70], 0],
  ['what continues to grow', [100, 110, 120, 130, 140, 150, 160, 170, 180], 100 * (50 / 155)],
])('the growth of %s', (_name, values, expected) => {
  expect(growthOf(series(values))).toBeCloseTo(expected, 5);
});

it.each([
  ['always leaves the same', [9, 2, 5, 4, 9, 5, 7, 9, 4, 7, 9, 5, 5, 9, 4], 0],
  ['leaves more and more', [9, 2, 5, 4, 9, 4, 7, 9, 5, 7, 9, 6, 8, 9, 7], 50],
])('a saw of garbage that %s', (_name, values, expected) => {
  expect(floorGrowthOf(series(values))).toBeCloseTo(expected, 5);
});

it('what is below the floor is noise and not growth', () => {
  const lag = series([1, 1, 1, 1, 1.2, 1.4, 1.6, 1.8, 2]);
  expect(growthOf(lag)).toBeGreaterThan(60);
  expect(growthOf(lag, 10)).toBeCloseTo(10, 5);
});

it('what a busy machine does to everybody is not put down to the server', () => {
  expect(beyond(series([12, 80, 30]), series([11, 75, 40])).map(({ value }) => value)).toEqual([1, 5, 0]);
});
