import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextDate, previousDate } from './nextDate.ts';

const iso = (date: number | undefined) =>
  date === undefined ? undefined : new Date(date).toISOString().replace('.000', '');
const next = (cron: string, after: string, options: { timezone?: string; withSeconds?: boolean } = {}) =>
  iso(nextDate(cron, { ...options, after: Date.parse(after) }));
const previous = (cron: string, before: string, options: { timezone?: string; withSeconds?: boolean } = {}) =>
  iso(previousDate(cron, { ...options, before: Date.parse(before) }));

describe('nextDate', () => {
  it.each([
    ['*/15 * * * *', '2025-03-01T10:01:00Z', '2025-03-01T10:15:00Z'],
    ['0 2 * * *', '2025-03-01T02:00:00Z', '2025-03-02T02:00:00Z'],
    ['0 2 * * *', '2025-03-01T01:59:59.999Z', '2025-03-01T02:00:00Z'],
    ['0 0 29 2 *', '2025-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', '2104-02-29T00:00:00Z'],
    ['0 0 31 * *', '2025-01-31T00:00:00Z', '2025-03-31T00:00:00Z'],
    ['0 9 * * MON-FRI', '2025-02-28T09:00:00Z', '2025-03-03T09:00:00Z'],
    ['0 9 * JAN,JUN 0', '2025-02-01T00:00:00Z', '2025-06-01T09:00:00Z'],
    ['0 9 * * 7', '2025-02-26T00:00:00Z', '2025-03-02T09:00:00Z'],
    ['5/20 * * * *', '2025-03-01T10:06:00Z', '2025-03-01T10:25:00Z'],
    ['@hourly', '2025-03-01T10:01:00Z', '2025-03-01T11:00:00Z'],
    ['@daily', '2025-03-01T10:01:00Z', '2025-03-02T00:00:00Z'],
    ['@midnight', '2025-03-01T10:01:00Z', '2025-03-02T00:00:00Z'],
    ['@weekly', '2025-03-01T10:01:00Z', '2025-03-02T00:00:00Z'],
    ['@monthly', '2025-03-01T10:01:00Z', '2025-04-01T00:00:00Z'],
    ['@yearly', '2025-03-01T10:01:00Z', '2026-01-01T00:00:00Z'],
    ['@annually', '2025-03-01T10:01:00Z', '2026-01-01T00:00:00Z'],
    ['0 0 30 2 *', '2025-03-01T10:01:00Z', undefined],
    ['0 0 1 1 *', '9999-06-01T00:00:00Z', undefined],
  ])('[E300] %s after %s is %s', (cron, after, expected) => {
    expect(next(cron, after)).toBe(expected);
  });

  it('[E301] day of month and day of week, both restricted, match either', () => {
    expect(next('0 0 13 * FRI', '2025-03-01T00:00:00Z')).toBe('2025-03-07T00:00:00Z');
    expect(next('0 0 13 * FRI', '2025-03-07T00:00:00Z')).toBe('2025-03-13T00:00:00Z');
  });

  it('[E302] a seconds field exists only when asked for', () => {
    expect(next('*/10 * * * * *', '2025-03-01T10:00:01Z', { withSeconds: true })).toBe(
      '2025-03-01T10:00:10Z',
    );
    expect(() => next('*/10 * * * * *', '2025-03-01T10:00:01Z')).toThrow('has 6 fields; expected 5');
    expect(() => next('0 * * * *', '2025-03-01T10:00:01Z', { withSeconds: true })).toThrow('expected 6');
  });

  it.each([
    ['*/0 * * * *', 'a step is at least 1'],
    ['60 * * * *', '"60" is not between 0 and 59'],
    ['10-5 * * * *', 'runs backwards'],
    ['* * 0 * *', '"0" is not between 1 and 31'],
    ['* * * 13 *', '"13" is not between 1 and 12'],
    ['* * * * 8', '"8" is not between 0 and 7'],
    ['a b c d e', 'not a valid day of week'],
    ['', 'has 1 fields; expected 5'],
    ['@reboot', 'not a known nickname'],
    ['* * L * *', '"L" is not between'],
    ['1,,2 * * * *', 'not a valid minute'],
    [`${'1,'.repeat(250)}1 * * * *`, 'too long'],
  ])('[E303] refuses %.30s', (cron, message) => {
    expect(() => next(cron, '2025-03-01T00:00:00Z')).toThrow(message);
  });

  it('[E304] a time of day that a change of clocks leaves out happens at the change', () => {
    const paris = { timezone: 'Europe/Paris' };
    expect(next('30 2 * * *', '2025-03-29T12:00:00Z', paris)).toBe('2025-03-30T01:00:00Z');
    expect(next('30 2 * * *', '2025-03-30T01:00:00Z', paris)).toBe('2025-03-31T00:30:00Z');
    expect(previous('30 2 * * *', '2025-03-30T12:00:00Z', paris)).toBe('2025-03-30T01:00:00Z');
    expect(next('30 * * * *', '2025-03-30T00:30:00Z', paris)).toBe('2025-03-30T01:30:00Z');
  });

  it('[E305] a time of day that happens twice counts once, an hourly one both times', () => {
    const paris = { timezone: 'Europe/Paris' };
    expect(next('30 2 * * *', '2025-10-25T12:00:00Z', paris)).toBe('2025-10-26T00:30:00Z');
    expect(next('30 2 * * *', '2025-10-26T00:30:00Z', paris)).toBe('2025-10-27T01:30:00Z');
    expect(previous('30 2 * * *', '2025-10-26T20:00:00Z', paris)).toBe('2025-10-26T00:30:00Z');
    expect(next('30 * * * *', '2025-10-26T00:30:00Z', paris)).toBe('2025-10-26T01:30:00Z');
    expect(previous('30 * * * *', '2025-10-26T01:30:00Z', paris)).toBe('2025-10-26T00:30:00Z');
  });

  it.each([
    ['+02:00', '2025-03-01T22:00:00Z'],
    ['UTC-5', '2025-03-02T05:00:00Z'],
    ['Asia/Kolkata', '2025-03-01T18:30:00Z'],
    ['America/New_York', '2025-03-02T05:00:00Z'],
    ['Z', '2025-03-02T00:00:00Z'],
  ])('[E306] midnight in %s', (timezone, expected) => {
    expect(next('0 0 * * *', '2025-03-01T12:00:00Z', { timezone })).toBe(expected);
  });

  it('[E304] a zone that skips a whole day runs that day at the change', () => {
    const apia = { timezone: 'Pacific/Apia' };
    expect(next('0 12 * * *', '2011-12-29T22:30:00Z', apia)).toBe('2011-12-30T10:00:00Z');
    expect(next('0 12 * * *', '2011-12-30T10:00:00Z', apia)).toBe('2011-12-30T22:00:00Z');
  });

  it('[E306] refuses an unknown zone', () => {
    expect(() => next('0 0 * * *', '2025-03-01T12:00:00Z', { timezone: 'Mars/Olympus' })).toThrow(
      '"Mars/Olympus" is not a known time zone',
    );
  });

  it.each([
    ['*/5', '2052-02-28T03:02:00Z', '2052-03-01T00:00:00Z'],
    ['*/10', '2035-02-25T04:54:00Z', '2035-03-01T00:00:00Z'],
    ['29', '2052-02-28T03:02:00Z', '2052-02-29T00:00:00Z'],
  ])('[E300] days %s after the %s continue with %s', (days, from, expected) => {
    expect(next(`0 0 ${days} * *`, from)).toBe(expected);
  });

  it('[E300] agrees with an independent implementation in UTC', () => {
    const value = (low: number, high: number) => fc.integer({ min: low, max: high }).map(String);
    const field = (low: number, high: number) =>
      fc.oneof(
        fc.constant('*'),
        value(low, high),
        fc.integer({ min: 1, max: high }).map((step) => `*/${step}`),
        fc.tuple(value(low, high), value(low, high)).map((both) => both.join(',')),
      );
    // From the end of February the other one leaves out the first of March.
    const isElsewhere = (at: number) => new Date(at).getUTCMonth() !== 1;
    const date = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2060, 0) }).filter(isElsewhere);
    fc.assert(
      fc.property(
        field(0, 59),
        field(0, 23),
        field(1, 28),
        field(1, 12),
        field(0, 6),
        date,
        (m, h, d, mo, w, at) => {
          const cron = [m, h, d, mo, w].join(' ');
          const expected = new Cron(cron, { timezone: 'UTC' }).nextRun(new Date(at))?.getTime();
          expect(nextDate(cron, { after: at })).toBe(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[E307] before and after are inverse in any zone', () => {
    const zones = fc.constantFrom(
      'Europe/Paris',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Tokyo',
      'Africa/Casablanca',
    );
    const crons = fc.constantFrom(
      '*/20 * * * *',
      '30 2 * * *',
      '0 0 * * *',
      '15 1,2,3 * * *',
      '0 */6 1 * MON',
    );
    const date = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2030, 0) });
    fc.assert(
      fc.property(crons, zones, date, (cron, timezone, after) => {
        const found = nextDate(cron, { timezone, after });
        expect(found).toBeGreaterThan(after);
        const last = previousDate(cron, { timezone, before: found! });
        expect(last).toBeLessThanOrEqual(after);
        expect(nextDate(cron, { timezone, after: last! })).toBe(found);
      }),
      { numRuns: 500 },
    );
  });
});
