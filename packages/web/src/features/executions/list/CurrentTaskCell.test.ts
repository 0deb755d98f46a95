import { expect, it, vi } from 'vitest';
import { batched } from './CurrentTaskCell.tsx';

it('asks once for all ids of a moment, in calls that are not too large, and again later', async () => {
  const read = vi.fn(async (ids: readonly string[]) => new Map(ids.map((id) => [id, id.toUpperCase()])));
  const ask = batched(2, read);
  expect(await Promise.all(['a', 'b', 'a', 'c'].map(ask))).toEqual(['A', 'B', 'A', 'C']);
  expect(read.mock.calls).toEqual([[['a', 'b']], [['a', 'c']]]);
  expect(await ask('a')).toBe('A');
  expect(read).toHaveBeenCalledTimes(3);
});

it('a failure reaches everyone who asked, and the next question is asked again', async () => {
  const read = vi
    .fn(async () => new Map([['a', 1]]))
    .mockRejectedValueOnce(new Error('The server is not reachable.'));
  const ask = batched(10, read);
  const both = await Promise.allSettled([ask('a'), ask('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('a')).toBe(1);
});
