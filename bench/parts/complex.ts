import { complexFlow } from '../flows.ts';
import { measureSustained } from '../measures/sustained.ts';
import type { Figures } from '../report/figures.ts';
import { onFreshProduct, type Stage } from './stage.ts';

/** B2: executions of five decisions per second. */
export function measureComplex(stage: Stage): Promise<Figures> {
  return onFreshProduct(stage, async (product, api) => {
    const { perSecond } = await measureSustained(product, api, {
      name: 'b2',
      flow: complexFlow,
      seconds: stage.options.seconds,
      say: stage.say,
    });
    return { b2PerSecond: perSecond };
  });
}
