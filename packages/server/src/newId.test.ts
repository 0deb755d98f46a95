import { describe, expect, it } from 'vitest';
import { newId } from './newId.ts';

describe('newId', () => {
  it('makes 22 letters and digits that never repeat', () => {
    const ids = Array.from({ length: 20_000 }, () => newId());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9A-Za-z]{22}$/.test(id))).toBe(true);
  });

  it('sorts by time', () => {
    const dates = [0, 1, 61, 62, 1_700_000_000_000, 1_700_000_000_001, 4_000_000_000_000];
    const ids = dates.map((at) => newId(at));
    expect([...ids].sort()).toEqual(ids);
  });
});
