import { describe, expect, it } from 'vitest';
import { toJsonValue } from './jsonValue.ts';

describe('toJsonValue', () => {
  it('returns plain data as it is', () => {
    const value = { a: [1, 'x', null, true], b: { c: 0 } };
    expect(toJsonValue(value)).toBe(value);
  });

  it('turns everything else into what a reload would give', () => {
    const value = { at: new Date(0), gone: undefined, nan: Number.NaN, map: new Map([[1, 2]]) };
    expect(toJsonValue(value)).toEqual({ at: '1970-01-01T00:00:00.000Z', nan: null, map: {} });
  });

  it('refuses what cannot be stored', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => toJsonValue(circle)).toThrow(/nest deeper/);
    expect(() => toJsonValue({ big: 1n })).toThrow(/JSON does not have/);
    expect(() => toJsonValue({ text: 'x'.repeat(17 * 1_048_576) })).toThrow(/larger than 16 MB/);
  });
});
