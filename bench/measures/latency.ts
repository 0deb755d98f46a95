import type { Api } from '../../e2e/product/api.ts';
import type { Product } from '../../e2e/product/launchProduct.ts';
import { simpleFlow } from '../flows.ts';
import { generateLoad } from '../load/load.ts';
import { type Durations, readDurations } from './durations.ts';

/** How long the simple flow takes at ten executions a second, created to ended. */
export async function measureLatency(product: Product, api: Api, seconds: number): Promise<Durations> {
  const name = 'b1-latency';
  await api.saveFlow(simpleFlow(name));
  await generateLoad({
    port: product.port,
    path: `/api/v1/executions/webhook/bench/${name}/benchmark`,
    seconds,
    connections: 10,
    ratePerSecond: 10,
  });
  return readDurations(api, name);
}
