import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

/** Replay one seed with `SEED=123 npx vitest run --project engine simulator`. */
const seeds = 5000;
const chunk = 250;

describe('the simulator', () => {
  it.each(Array.from({ length: seeds / chunk }, (_, index) => index * chunk))(
    'finds every invariant held from seed %i on',
    (first) => {
      for (let seed = first; seed < first + chunk; seed++) {
        const { problem } = simulate(seed);
        expect(problem, `seed ${seed}`).toBeUndefined();
      }
    },
  );
});
