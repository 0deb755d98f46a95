import { expect, it } from 'vitest';
import { presentState } from './present.ts';

it('shows dates as Date does, whatever the moment', () => {
  const moments = [
    0, 1, 999, 1_000, 1_700_000_000_000, 1_700_000_000_007, 1_700_000_000_070, -1, -1_001, 1.5,
    253_402_300_799_999,
  ];
  for (const date of [...moments, ...moments.toReversed()]) {
    const { startDate } = presentState({ current: 'CREATED', histories: [{ state: 'CREATED', date }] }, date);
    expect(startDate).toBe(new Date(date).toISOString());
  }
});
