import { describe, expect, it } from 'vitest';
import { writeStored } from '../storage/storage.ts';
import { instantToLocal, localToInstant } from './timeZone.ts';

describe('dates that are picked', () => {
  it.each([
    ['2026-03-01 02:00:00', 'UTC', '2026-03-01T02:00:00.000Z'],
    ['2026-03-01 02:00:00', 'Asia/Tokyo', '2026-02-28T17:00:00.000Z'],
    ['2026-07-01 02:00:00', 'America/New_York', '2026-07-01T06:00:00.000Z'],
    ['2026-01-01 02:00:00', 'America/New_York', '2026-01-01T07:00:00.000Z'],
    ['2026-06-01 12:00:00', 'Asia/Kathmandu', '2026-06-01T06:15:00.000Z'],
    ['2026-03-29 01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-11-01 00:30:00', 'America/New_York', '2026-11-01T04:30:00.000Z'],
  ])('%s in %s is one moment, and is shown as it was picked', (local, timeZone, instant) => {
    expect(localToInstant(local, timeZone)).toBe(instant);
    expect(instantToLocal(instant, timeZone)).toBe(local);
  });

  it('a time that a change of the clocks leaves out is the one an hour later', () => {
    expect(localToInstant('2026-03-29 02:30:00', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  });

  it('[S2-2s.18] follow the time zone of the settings, not the browser, from the moment it is chosen', () => {
    writeStored('timeZone', 'Asia/Tokyo');
    expect(localToInstant('2026-03-01 09:00:00')).toBe('2026-03-01T00:00:00.000Z');
    writeStored('timeZone', 'America/New_York');
    expect(localToInstant('2026-03-01 09:00:00')).toBe('2026-03-01T14:00:00.000Z');
  });

  it('a stored zone that does not exist counts as not chosen', () => {
    writeStored('timeZone', 'Moon/Base');
    const local = instantToLocal('2026-03-01T00:00:00.000Z');
    expect(localToInstant(local)).toBe('2026-03-01T00:00:00.000Z');
  });
});
