import { mainTenant, taskRuns } from '@millrace/contract';
import { presentTaskRun } from '@millrace/engine';
import type { FastifyInstance } from 'fastify';
import type { Product } from '../../product.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import type { QueryValues } from '../query.ts';

export function mountTaskRuns(app: FastifyInstance, { store, clock, config }: Product): void {
  mount(app, taskRuns.searchTaskRuns, async ({ query, request }) => {
    const now = clock();
    const context = { now, systemNamespace: config.systemNamespace };
    const filters = readFilters(request.query as QueryValues, 'task', context);
    const { results, total } = await store.searchTaskRuns({ ...toPageQuery(query), filters });
    return {
      results: results.map(({ taskRun, namespace, flowId }) =>
        presentTaskRun(taskRun, { tenantId: mainTenant, namespace, flowId }, now),
      ),
      total,
    };
  });
}
