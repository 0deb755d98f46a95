import type { Api } from '../../e2e/product/api.ts';
import type { Product } from '../../e2e/product/launchProduct.ts';
import { generateLoad } from '../load/load.ts';
import { type Durations, readDurations } from './durations.ts';

export interface Sustained {
  readonly perSecond: number;
  readonly meanMs: number;
}

export interface SustainedPlan {
  readonly name: string;
  readonly flow: (id: string) => string;
  readonly seconds: number;
  readonly say: (text: string) => void;
}

const connections = 48;
const limitMs = 1000;

/**
 * The highest rate at which executions end as fast as they start, with a mean duration under a second. Starts
 * with the server's maximum; if executions pile up, tries decreasing shares of the rate at which they ended.
 */
export async function measureSustained(product: Product, api: Api, plan: SustainedPlan): Promise<Sustained> {
  await measure(product, api, { ...plan, name: `${plan.name}-warm-up`, seconds: Math.min(3, plan.seconds) });
  const most = await measure(product, api, plan);
  if (most.meanMs < limitMs) return most;
  for (const share of [0.9, 0.8, 0.7, 0.55, 0.4, 0.25]) {
    const rate = Math.round(most.perSecond * share);
    const name = `${plan.name}-${Math.round(share * 100)}`;
    const kept = await measure(product, api, { ...plan, name }, rate);
    if (kept.meanMs < limitMs) return kept;
  }
  return { ...most, perSecond: 0 };
}

async function measure(
  product: Product,
  api: Api,
  plan: SustainedPlan,
  ratePerSecond?: number,
): Promise<Sustained> {
  const { name, flow, seconds, say } = plan;
  await api.saveFlow(flow(name));
  say(`${name}: ${ratePerSecond ? `${ratePerSecond}/s` : `${connections} connections`} for ${seconds} s`);
  const load = await generateLoad({
    port: product.port,
    path: `/api/v1/executions/webhook/bench/${name}/benchmark`,
    seconds,
    connections,
    ...(ratePerSecond === undefined ? {} : { ratePerSecond }),
  });
  const durations = await readDurations(api, name);
  refuseLoss(name, load.answered, durations);
  const perSecond = durations.count / durations.spanSeconds;
  say(`${name}: ${Math.round(perSecond)}/s, mean ${durations.meanMs.toFixed(1)} ms, ${load.failed} refused`);
  return { perSecond, meanMs: durations.meanMs };
}

/** Fails the measurement when the server lost or failed acknowledged executions. */
function refuseLoss(name: string, answered: number, durations: Durations): void {
  if (durations.count < answered) {
    throw new Error(
      `${name}: ${answered} executions were acknowledged, but the server has ${durations.count}.`,
    );
  }
  if (durations.notSuccessful > 0)
    throw new Error(`${name}: ${durations.notSuccessful} executions did not succeed.`);
}
