import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Timers } from './timers.ts';

describe('Timers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('fires in the order of the dates with one timeout at a time', () => {
    const fired: string[] = [];
    const timers = new Timers<string>(Date.now, (value) => fired.push(value));
    const start = Date.now();
    for (const at of [50, 10, 40, 20, 30, 10]) timers.add(start + at, 'key', String(at));
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
    const month = 30 * 86_400_000;
    timers.add(Date.now() + month, 'key', 'later');
    vi.advanceTimersByTime(month - 1);
    expect(fired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(fired).toEqual(['later']);
  });

  it('[A35] notices within half a minute that the clock was set, ahead or back', () => {
    const fired: string[] = [];
    let aheadMs = 0;
    const timers = new Timers<string>(
      () => Date.now() + aheadMs,
      (value) => fired.push(value),
    );
    const hour = 3_600_000;
    timers.add(Date.now() + hour, 'key', 'one');
    timers.add(Date.now() + 2 * hour, 'key', 'two');
    aheadMs = hour;
    vi.advanceTimersByTime(30_000);
    expect(fired).toEqual(['one']);
    aheadMs = -hour;
    vi.advanceTimersByTime(2 * hour);
    expect(fired).toEqual(['one']);
    vi.advanceTimersByTime(hour);
    expect(fired).toEqual(['one', 'two']);
  });

  it('fires nothing that was cancelled, and the rest in its order', () => {
    const fired: number[] = [];
    const timers = new Timers<number>(Date.now, (value) => fired.push(value));
    const start = Date.now();
    for (let at = 1; at <= 100; at++)
      timers.add(start + ((at * 37) % 101), at % 2 === 0 ? 'even' : 'odd', at);
    timers.cancel('even');
    timers.cancel('unknown');
    expect(timers.size).toBe(50);
    vi.advanceTimersByTime(200);
    const odd = Array.from({ length: 50 }, (_, index) => 2 * index + 1);
    expect(fired).toEqual(odd.sort((a, b) => ((a * 37) % 101) - ((b * 37) % 101)));
    expect([timers.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it('fires nothing once closed', () => {
    const fired: string[] = [];
    const timers = new Timers<string>(Date.now, (value) => fired.push(value));
    timers.add(Date.now() + 10, 'key', 'x');
    timers.close();
    vi.advanceTimersByTime(100);
    expect(fired).toEqual([]);
  });
});
