import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Timers } from './timers.ts';

describe('Timers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('fires in the order of the dates with one timeout at a time', () => {
    const fired: string[] = [];
    const timers = new Timers<string>(Date.now, (value) => fired.push(value));
    const start = Date.now();
    for (const at of [50, 10, 40, 20, 30, 10]) timers.add(start + at, String(at));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(30);
    expect(fired).toEqual(['10', '10', '20', '30']);
    vi.advanceTimersByTime(30);
    expect(fired).toEqual(['10', '10', '20', '30', '40', '50']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for dates further away than a timeout can reach', () => {
    const fired: string[] = [];
    const timers = new Timers<string>(Date.now, (value) => fired.push(value));
    const year = 365 * 86_400_000;
    timers.add(Date.now() + year, 'later');
    vi.advanceTimersByTime(year - 1);
    expect(fired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(fired).toEqual(['later']);
  });

  it('fires nothing once closed', () => {
    const fired: string[] = [];
    const timers = new Timers<string>(Date.now, (value) => fired.push(value));
    timers.add(Date.now() + 10, 'x');
    timers.close();
    vi.advanceTimersByTime(100);
    expect(fired).toEqual([]);
  });
});
