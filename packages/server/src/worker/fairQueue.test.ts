import { describe, expect, it } from 'vitest';
import { FairQueue } from './fairQueue.ts';

describe('FairQueue', () => {
  it('lets the groups take turns and keeps the order within each', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item);
    const taken = Array.from({ length: 7 }, () => queue.take());
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
    expect(queue.size).toBe(0);
  });

  it('takes out what must not run any more', () => {
    const queue = new FairQueue<number>();
    for (const item of [1, 2, 3]) queue.add('a', item);
    expect(queue.remove('a', (item) => item !== 2)).toEqual([1, 3]);
    expect(queue.size).toBe(1);
    expect(queue.take()).toBe(2);
  });
});
