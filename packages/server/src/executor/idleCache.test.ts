import { describe, expect, it } from 'vitest';
import { IdleCache } from './idleCache.ts';

describe('IdleCache', () => {
  it('evicts the longest idle executions when the task runs exceed the limit', () => {
    const cache = new IdleCache<string>(40);
    expect(cache.add('a', 5)).toEqual([]);
    expect(cache.add('b', 5)).toEqual([]);
    expect(cache.add('c', 5)).toEqual([]);
    expect(cache.add('d', 15)).toEqual(['a']);
  });

  it('counts an execution that was idle before as the newest', () => {
    const cache = new IdleCache<string>(20);
    cache.add('a', 5);
    cache.add('b', 5);
    cache.add('a', 5);
    expect(cache.add('c', 5)).toEqual(['b']);
  });

  it('frees the weight of an execution that becomes busy', () => {
    const cache = new IdleCache<string>(20);
    cache.add('a', 5);
    cache.add('b', 5);
    cache.delete('a');
    expect(cache.add('c', 5)).toEqual([]);
  });

  it('keeps a single execution above the limit, because evicting it would load it at once again', () => {
    const cache = new IdleCache<string>(20);
    cache.add('a', 5);
    expect(cache.add('large', 1_000)).toEqual(['a']);
    expect(cache.add('b', 1)).toEqual(['large']);
  });
});
