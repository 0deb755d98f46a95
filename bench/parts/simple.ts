import { simpleFlow } from '../flows.ts';
import { measureLatency } from '../measures/latency.ts';
import { measureSustained } from '../measures/sustained.ts';
import type { Figures } from '../report/figures.ts';
import { onFreshProduct, type Stage } from './stage.ts';

/** B1: executions of two tasks per second, and the duration of one at a low rate. */
export function measureSimple(stage: Stage): Promise<Figures> {
  const { seconds, quick } = stage.options;
  return onFreshProduct(stage, async (product, api) => {
    const { perSecond } = await measureSustained(product, api, {
      name: 'b1',
      flow: simpleFlow,
      seconds,
      say: stage.say,
    });
    stage.say('b1 at 10/s');
    const { p50Ms, p99Ms } = await measureLatency(product, api, quick ? 2 : 20);
    return { b1PerSecond: perSecond, b1P50Ms: p50Ms, b1P99Ms: p99Ms };
  });
}
