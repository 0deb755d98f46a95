import { AppError, executionReads } from '@millrace/contract';
import { presentExecution, presentFlow } from '@millrace/engine';
import type { Filter } from '@millrace/store';
import type { FastifyInstance } from 'fastify';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import { required } from '../required.ts';

const equals = (field: string, value: string): Filter => ({ field, operation: 'EQUALS', value });

/** Flows of one namespace that a picker shows; nobody picks among more. */
const maxFlows = 10_000;

export function mountExecutionReads(app: FastifyInstance, product: Product): void {
  const { store, flows, clock } = product;

  mount(app, executionReads.listFlowExecutions, async ({ query }) => {
    const filters = [
      equals('namespace', required(query.namespace, 'namespace')),
      equals('flowId', required(query.flowId, 'flowId')),
    ];
    const { results, total } = await store.listExecutions({ ...toPageQuery(query), filters });
    const now = clock();
    return {
      results: results.map(({ execution }) => presentExecution(execution, [], now)),
      total,
    };
  });

  mount(app, executionReads.getFlowToExecute, async ({ params, query }) => {
    const found = await flows.find(params.namespace, params.flowId, query.revision);
    if (!found || found.record.deleted) {
      throw new AppError(
        'not-found',
        `there is no flow "${params.flowId}" in the namespace "${params.namespace}"`,
      );
    }
    return presentFlow(found.flow);
  });

  mount(app, executionReads.listExecutableNamespaces, () => store.listFlowNamespaces());

  mount(app, executionReads.listExecutableFlows, async ({ params }) => {
    const filters = [equals('namespace', params.namespace)];
    const { results } = await store.listFlows({ page: 1, size: maxFlows, filters });
    return results.map((record) => presentFlow(flows.read(record).flow));
  });
}
