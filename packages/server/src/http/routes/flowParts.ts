import { AppError, flowParts } from '@millrace/contract';
import { findTask, validateTask } from '@millrace/engine';
import type { FastifyInstance } from 'fastify';
import { findFlow } from '../../actions/findFlow.ts';
import { flowTopology } from '../../actions/flowTopology.ts';
import { replaceTask } from '../../actions/replaceTask.ts';
import { sourceFragments } from '../../actions/sourceFragments.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import { required } from '../required.ts';
import { authorOf } from './flows.ts';

export function mountFlowParts(app: FastifyInstance, product: Product): void {
  const { store, flows, catalogue } = product;

  mount(app, flowParts.searchFlowSources, async ({ query }) => {
    const { q, namespace } = query;
    const filters =
      namespace === undefined || namespace === ''
        ? []
        : [{ field: 'namespace', operation: 'STARTS_WITH', value: namespace } as const];
    const { results, total } = await store.listFlows({
      ...toPageQuery(query),
      filters,
      ...(q === undefined ? {} : { source: q }),
    });
    const found = results.map((record) => ({
      model: flows.read(record).flow,
      fragments: sourceFragments(record.source, q ?? ''),
    }));
    return { results: found, total };
  });

  mount(app, flowParts.getFlowTask, async ({ params, query }) => {
    const { flow } = await findFlow(product, params, query.revision);
    const task = findTask(flow, params.taskId);
    if (!task)
      throw new AppError('not-found', `there is no task "${params.taskId}" in the flow "${params.id}"`);
    return task;
  });

  mount(app, flowParts.updateFlowTask, async ({ params, body, request }) => {
    const { flow } = await replaceTask(params, body, product, authorOf(request));
    return flow;
  });

  mount(app, flowParts.getFlowDependencies, ({ params, query }) => flowTopology(params, query, product));

  mount(app, flowParts.validateTask, ({ query, body }) =>
    validateTask(body, required(query.section, 'section'), catalogue),
  );
  mount(app, flowParts.validateTrigger, ({ body }) => validateTask(body, 'TRIGGERS', catalogue));
}
