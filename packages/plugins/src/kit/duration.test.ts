import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

test.each([
  ['PT1S', 1000],
  ['PT0.1S', 100],
  ['PT1M30S', 90_000],
  ['P1D', 86_400_000],
  ['P2W', 1_209_600_000],
  ['P1DT2H', 93_600_000],
  ['pt5s', 5000],
  ['-PT1S', -1000],
  ['P', undefined],
  ['PT', undefined],
  ['P1Y', undefined],
  ['1h', undefined],
  ['', undefined],
])('reads %s as %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  [0, 'PT0S'],
  [1500, 'PT1.5S'],
  [93_600_000, 'PT26H'],
  [-61_000, '-PT1M1S'],
])('writes %s ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
