import { type FlowRecord, type FlowWithSource, flowTransfer } from '@millrace/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findFlow } from '../../actions/findFlow.ts';
import { importFlows } from '../../actions/importFlows.ts';
import { saveFlows } from '../../actions/saveFlows.ts';
import { readUpload } from '../../archives/readUpload.ts';
import { sendZip } from '../../archives/sendZip.ts';
import type { Product } from '../../product.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import type { QueryValues } from '../query.ts';
import { withSource } from './flows.ts';

export function mountFlowTransfer(app: FastifyInstance, product: Product): void {
  const entriesOf = (records: readonly FlowRecord[]) =>
    records.map(({ namespace, id, source }) => ({ path: `${namespace}-${id}.yml`, content: source }));

  mount(app, flowTransfer.exportFlowsByQuery, async ({ request, reply }) => {
    sendZip(reply, 'flows.zip', entriesOf(await flowsOf(request, product)));
  });
  mount(app, flowTransfer.exportFlowsByIds, async ({ body, reply }) => {
    const found = await Promise.all(body.map((key) => findFlow(product, key)));
    sendZip(reply, 'flows.zip', entriesOf(found.map(({ record }) => record)));
  });
  mount(app, flowTransfer.importFlows, async ({ query, request }) =>
    importFlows(await readUpload(request, product.workFolder), query.failOnError, product),
  );

  const views = async (saving: ReturnType<typeof saveFlows>): Promise<FlowWithSource[]> =>
    (await saving).map(withSource);
  mount(app, flowTransfer.replaceFlows, ({ params, query, body }) =>
    views(
      saveFlows(
        body,
        { namespace: params.namespace, takesChildren: false, deletesOthers: query.delete },
        product,
      ),
    ),
  );
  mount(app, flowTransfer.saveFlowsInBulk, ({ query, body }) => {
    const { namespace, allowNamespaceChild } = query;
    // Without a namespace every other flow there is would go: that has to be written out.
    const deletesOthers = namespace === undefined ? query.delete === 'true' : query.delete !== 'false';
    const scope = { takesChildren: allowNamespaceChild, deletesOthers };
    return views(saveFlows(body, namespace === undefined ? scope : { ...scope, namespace }, product));
  });
}

/** Every flow of a query. */
export async function flowsOf(
  request: FastifyRequest,
  { store, clock, config }: Product,
): Promise<FlowRecord[]> {
  const context = { now: clock(), systemNamespace: config.systemNamespace };
  const filters = readFilters(request.query as QueryValues, 'flow', context);
  const all: FlowRecord[] = [];
  const size = 1_000;
  for (let page = 1; ; page++) {
    const { results } = await store.listFlows({ page, size, filters });
    all.push(...results);
    if (results.length < size) return all;
  }
}
