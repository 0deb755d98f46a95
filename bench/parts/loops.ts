import { loopFlow } from '../flows.ts';
import { timeBestOf, timeExecution } from '../measures/execution.ts';
import { watchMemory } from '../measures/process.ts';
import type { Figures } from '../report/figures.ts';
import { onFreshProduct, type Stage } from './stage.ts';

/** B3: a hundred concurrent iterations, and the cost of ten thousand. */
export function measureLoops(stage: Stage): Promise<Figures> {
  return onFreshProduct(stage, async (product, api) => {
    stage.say('b3, five times');
    await api.saveFlow(loopFlow('b3', 100));
    const b3Ms = await timeBestOf(5, api, 'b3');
    if (stage.options.quick) return { b3Ms };

    stage.say('1,000 and 10,000 iterations');
    await api.saveFlow(loopFlow('some', 1_000));
    const smallMs = await timeBestOf(3, api, 'some');
    await api.saveFlow(loopFlow('many', 10_000));
    const { result, peakBytes } = await watchMemory(product.pid, timeExecution(api, 'many'));
    // 100 % means that an iteration costs the same in a loop ten times as long.
    const loopGrowth = (result / 10 / smallMs) * 100;
    return { b3Ms, loopGrowth, loopSeconds: result / 1000, loopMegabytes: peakBytes / 1024 / 1024 };
  });
}
