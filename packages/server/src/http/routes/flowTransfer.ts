import { type FlowRecord, type FlowWithSource, flowTransfer } from '@millrace/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findFlow } from '../../actions/findFlow.ts';
import { importFlows } from '../../actions/importFlows.ts';
import { previewImport } from '../../actions/previewImport.ts';
import type { SaveOptions } from '../../actions/saveFlow.ts';
import { saveFlows } from '../../actions/saveFlows.ts';
import { readUpload } from '../../archives/readUpload.ts';
import { sendZip } from '../../archives/sendZip.ts';
import { testFilesOf } from '../../flowTests/flowTests.ts';
import type { Product } from '../../product.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import type { QueryValues } from '../query.ts';
import { authorOf, withSource } from './flows.ts';

export function mountFlowTransfer(app: FastifyInstance, product: Product): void {
  const entriesOf = async (records: readonly FlowRecord[]) => [
    ...records.map(({ namespace, id, source }) => ({ path: `${namespace}-${id}.yml`, content: source })),
    ...(await testFilesOf(records, product)),
  ];

  mount(app, flowTransfer.exportFlowsByQuery, async ({ request, reply }) => {
    sendZip(reply, 'flows.zip', await entriesOf(await flowsOf(request, product)));
  });
  mount(app, flowTransfer.exportFlowsByIds, async ({ body, reply }) => {
    const found = await Promise.all(body.map((key) => findFlow(product, key)));
    sendZip(reply, 'flows.zip', await entriesOf(found.map(({ record }) => record)));
  });
  mount(app, flowTransfer.importFlows, async ({ query, request }) =>
    importFlows(
      await readUpload(request, product.workFolder),
      { failOnError: query.failOnError, ...savingOf(query, request) },
      product,
    ),
  );
  mount(app, flowTransfer.previewImport, async ({ request }) =>
    previewImport(await readUpload(request, product.workFolder), product),
  );

  const views = async (saving: ReturnType<typeof saveFlows>): Promise<FlowWithSource[]> =>
    (await saving).map(withSource);
  mount(app, flowTransfer.replaceFlows, ({ params, query, body, request }) =>
    views(
      saveFlows(
        body,
        { namespace: params.namespace, takesChildren: false, deletesOthers: query.delete },
        product,
        savingOf(query, request),
      ),
    ),
  );
  mount(app, flowTransfer.saveFlowsInBulk, ({ query, body, request }) => {
    const { namespace, allowNamespaceChild } = query;
    // Without a namespace every other flow there is would go: that has to be written out.
    const deletesOthers = namespace === undefined ? query.delete === 'true' : query.delete !== 'false';
    const scope = { takesChildren: allowNamespaceChild, deletesOthers };
    const inside = namespace === undefined ? scope : { ...scope, namespace };
    return views(saveFlows(body, inside, product, savingOf(query, request)));
  });
}

/** Only what a client may choose: the author is the user of the request. */
const savingOf = (
  { keepUnknownTypes }: { keepUnknownTypes?: boolean | undefined },
  request: FastifyRequest,
): SaveOptions => ({ keepUnknownTypes, author: authorOf(request) });

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
