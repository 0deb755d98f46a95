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
 * How long the simple flow takes at ten executions a second: created to ended as the server has it, or until the call was
 * answered, whichever is longer. Tasks that only compute end before the commit that the answer waits for.
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
