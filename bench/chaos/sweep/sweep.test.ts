import { expect, it } from 'vitest';
import { Random } from '../random.ts';
import { inDatabase, inFolder } from './places.ts';
import { scenarios } from './scenarios.ts';
import { sweep } from './sweep.ts';

/**
 * The full sweep takes minutes: `npm run chaos`. Every run uses the same moments, so that a failure can be
 * reproduced.
 */
const sampled = <T>(moments: readonly T[]) => new Random(35).shuffle(moments).slice(0, 1);

it.each([
  { name: 'SQLite', prepare: inFolder, played: scenarios },
  {
    name: 'PostgreSQL',
    prepare: () => inDatabase(),
    played: scenarios.filter(({ name }) => /limit|another flow/.test(name)),
  },
])(
  '[A35] a server that is killed at one of its calls of the store, and while it recovers, loses and doubles nothing on $name',
  async ({ prepare, played }) => {
    const { crashes, violations } = await sweep({ scenarios: played, prepare, pick: sampled });
    expect(violations).toEqual([]);
    expect(crashes).toBeGreaterThanOrEqual(2 * played.length);
  },
  120_000,
);
