import { describe, expect, it } from 'vitest';
import { formatDuration, parseIsoDuration } from './duration.ts';

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [-5, '0 ms'],
    [340, '340 ms'],
    [999, '999 ms'],
    [4_250, '4.2 s'],
    [59_999, '59.9 s'],
    [60_000, '1 m'],
    [125_000, '2 m 5 s'],
    [3_600_000, '1 h'],
    [3_780_000, '1 h 3 m'],
    [97_200_000, '1 d 3 h'],
  ])('shows %d ms as %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});

describe('parseIsoDuration', () => {
  it.each([
    ['PT5M', 300_000],
    ['PT24H', 86_400_000],
    ['P7D', 604_800_000],
    ['P1DT1H1M1.5S', 90_061_500],
    ['nonsense', undefined],
    ['P', undefined],
    ['PT', undefined],
  ])('reads %s', (text, ms) => expect(parseIsoDuration(text)).toBe(ms));
});
