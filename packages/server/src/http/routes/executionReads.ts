import { AppError, executionReads } from '@millrace/contract';
import { presentExecution, presentFlow } from '@millrace/engine';
import type { Filter } from '@millrace/store';
import type { FastifyInstance } from 'fastify';
import { explainWaiting } from '../../actions/explainWaiting.ts';
import { listExecutionEvents } from '../../actions/listExecutionEvents.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import { required } from '../required.ts';

const equals = (field: string, value: string): Filter => ({ field, operation: 'EQUALS', value });

/** The maximum number of flows of one namespace in a picker. */
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

  mount(app, executionReads.listExecutionEvents, ({ params, query }) =>
    listExecutionEvents(
      params.executionId,
      { after: query.after, size: query.size, taskRunId: query.taskRunId, kinds: query.kind },
      product,
    ),
  );

  mount(app, executionReads.explainWaiting, ({ params }) => explainWaiting(params.executionId, product));

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
