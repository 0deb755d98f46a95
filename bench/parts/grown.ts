import type { Api } from '../../e2e/product/api.ts';
import type { Product } from '../../e2e/product/launchProduct.ts';
import { simpleFlow } from '../flows.ts';
import { measureSustained } from '../measures/sustained.ts';
import type { Figures } from '../report/figures.ts';
import { onFreshProduct, onProduct, type Stage } from './stage.ts';

/** Rounds of each; the best counts, so that a busy moment of the machine does not decide. */
const turns = 2;

/** B1 on a full database against B1 on an empty one, in alternating rounds: 100 % means the same rate. */
export async function measureGrown(
  stage: Stage,
  filled: { readonly data: string; readonly databaseUrl?: string },
): Promise<Figures> {
  let [empty, full] = [0, 0];
  for (let turn = 1; turn <= turns; turn += 1) {
    const measure = (name: string) => async (product: Product, api: Api) => {
      const plan = { name, flow: simpleFlow, seconds: stage.options.seconds, say: stage.say };
      return (await measureSustained(product, api, plan)).perSecond;
    };
    empty = Math.max(empty, await onFreshProduct(stage, measure(`b1-empty-${turn}`)));
    full = Math.max(full, await onProduct(filled, measure(`b1-full-${turn}`)));
  }
  return { grownPerSecond: full, b1Growth: (empty / full) * 100 };
}
