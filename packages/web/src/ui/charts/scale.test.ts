import { expect, it } from 'vitest';
import { scaleTop, spread } from './StackedBars.tsx';

it.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [7, 8],
  [11, 20],
  [47, 60],
  [113, 200],
  [0.3, 0.4],
])('a scale for values up to %d ends at %d', (highest, top) => {
  expect(scaleTop(highest)).toBeCloseTo(top);
});

it('labels are spread over the buckets, the first and the last among them', () => {
  expect(spread(31, 5)).toEqual([0, 8, 15, 23, 30]);
  expect(spread(3, 5)).toEqual([0, 1, 2]);
});
