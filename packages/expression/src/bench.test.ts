import { expect, test } from 'vitest';
import { benchExpressions } from './bench.ts';

test('counts renders by the clock it is given', () => {
  let now = 0;
  const bench = benchExpressions(() => (now += 60));
  expect(bench.simplePerSecond).toBe(Math.round((10_000 / 120) * 1000));
  expect(bench).toEqual({
    literalPerSecond: bench.simplePerSecond,
    simplePerSecond: bench.simplePerSecond,
    mixedPerSecond: bench.simplePerSecond,
  });
});
