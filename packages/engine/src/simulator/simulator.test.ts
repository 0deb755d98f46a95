import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

/** A sample of `npm run simulate`; one seed runs alone with `npm run simulate -- --from 123 --seeds 1`. */
const seeds = 1000;
const chunk = 50;

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
