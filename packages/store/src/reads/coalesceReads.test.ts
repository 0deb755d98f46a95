import { describe, expect, it } from 'vitest';
import { coalesceReads } from './coalesceReads.ts';

describe('reads of one turn', () => {
  it('are one read for those who ask for the same, and see what is there when the last has asked', async () => {
    const stored = new Map([['a', 1]]);
    const reads: string[] = [];
    const read = coalesceReads(async (key: string) => {
      reads.push(key);
      return stored.get(key);
    });
    const first = read('a');
    stored.set('a', 2);
    expect(await Promise.all([first, read('a'), read('b')])).toEqual([2, 2, undefined]);
    expect(reads).toEqual(['a', 'b']);
    expect(await read('a')).toBe(2);
    expect(reads).toEqual(['a', 'b', 'a']);
  });

  it('fail for every caller that shares them; the next caller reads again', async () => {
    let broken = true;
    const read = coalesceReads(async (key: string) => {
      if (broken) throw new Error('no connection');
      return key;
    });
    const both = await Promise.allSettled([read('a'), read('a')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await read('a')).toBe('a');
  });
});
