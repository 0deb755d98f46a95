import { describe, expect, it } from 'vitest';
import { raw } from '../filters/sql.ts';
import { cacheCounts } from './cachedCounts.ts';

function counting() {
  let now = 0;
  const asked: ((total: number | Error) => void)[] = [];
  const cachedCount = cacheCounts(
    () =>
      new Promise((resolve, reject) => {
        asked.push((total) => (typeof total === 'number' ? resolve(total) : reject(total)));
      }),
    () => now,
  );
  return { ask: (text = 'all') => cachedCount(raw(text)), asked, later: (ms: number) => (now += ms) };
}

describe('long counts', () => {
  it('are made once for all who ask meanwhile, and remembered', async () => {
    const { ask, asked } = counting();
    const both = Promise.all([ask(), ask()]);
    asked[0]?.(50_000);
    expect(await both).toEqual([50_000, 50_000]);
    expect(await ask()).toBe(50_000);
    expect(asked).toHaveLength(1);
  });

  it('are made again behind those who get the old number', async () => {
    const { ask, asked, later } = counting();
    const first = ask();
    asked[0]?.(50_000);
    await first;
    later(11_000);
    expect(await ask()).toBe(50_000);
    asked[1]?.(60_000);
    await expect.poll(ask).toBe(60_000);
    expect(asked).toHaveLength(2);
  });

  it('are waited for again when the old number is too old', async () => {
    const { ask, asked, later } = counting();
    const first = ask();
    asked[0]?.(50_000);
    await first;
    later(301_000);
    const again = ask();
    asked[1]?.(70_000);
    expect(await again).toBe(70_000);
  });

  it('are tried again after a failure', async () => {
    const { ask, asked } = counting();
    const failed = ask();
    asked[0]?.(new Error('no connection'));
    await expect(failed).rejects.toThrow('no connection');
    const again = ask();
    asked[1]?.(1);
    expect(await again).toBe(1);
  });

  it('are made two at a time, and none is begun when many wait', async () => {
    const { ask, asked } = counting();
    const all = Array.from({ length: 23 }, (_, index) => ask(`statement ${index}`));
    expect(asked).toHaveLength(2);
    expect(await all[22]).toBeUndefined();
    for (let done = 0; done < 22; done++) {
      asked[done]?.(done);
      expect(await all[done]).toBe(done);
      await expect.poll(() => asked.length).toBe(Math.min(done + 3, 22));
    }
  });

  it('of other statements are others', async () => {
    const { ask, asked } = counting();
    const both = Promise.all([ask('a'), ask('b')]);
    asked[0]?.(1);
    asked[1]?.(2);
    expect(await both).toEqual([1, 2]);
  });
});
