import type { Api } from '../../e2e/product/api.ts';
import type { Product } from '../../e2e/product/launchProduct.ts';
import { simpleFlow } from '../flows.ts';
import { generateLoad } from '../load/load.ts';
import { readDurations } from './durations.ts';

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * The duration of the simple flow at ten executions a second: the server's time from created to ended, or
 * until the response arrived, whichever is longer. Pure tasks end before the commit that the response waits
 * for.
 */
export async function measureLatency(
  product: Product,
  api: Api,
  seconds: number,
  flow = simpleFlow,
): Promise<Latency> {
  const name = 'b1-latency';
  await api.saveFlow(flow(name));
  const { answerP50Ms, answerP99Ms } = await generateLoad({
    port: product.port,
    path: `/api/v1/executions/webhook/bench/${name}/benchmark`,
    seconds,
    connections: 10,
    ratePerSecond: 10,
  });
  const { p50Ms, p99Ms } = await readDurations(api, name);
  return { p50Ms: Math.max(p50Ms, answerP50Ms), p99Ms: Math.max(p99Ms, answerP99Ms) };
}
