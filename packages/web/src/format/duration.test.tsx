import i18next from 'i18next';
import { afterEach, describe, expect, it } from 'vitest';
import { formatDuration, parseIsoDuration, tickLabel } from './duration.ts';
import { formatBytes } from './number.ts';

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

describe('S1-2.5.2 durations in another language', () => {
  afterEach(() => i18next.changeLanguage('en'));

  it.each([
    ['de', 4_250, '4,2 Sek.'],
    ['de', 3_780_000, '1 Std. 3 Min.'],
    ['ja', 125_000, '2 分 5 秒'],
    ['zh-CN', 97_200_000, '1天 3小时'],
  ])('are formatted in its language: %s', async (language, ms, text) => {
    await i18next.changeLanguage(language);
    expect(formatDuration(ms)).toBe(text);
  });

  it('have its words on an axis and its digits in sizes', async () => {
    await i18next.changeLanguage('de');
    expect(tickLabel(90_000, 30_000)).toBe('1 Min. 30 Sek.');
    expect(formatBytes(1_250)).toBe('1,3 kB');
  });
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
