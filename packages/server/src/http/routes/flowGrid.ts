import { flowGrid } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { findCurrentTasks, readFlowGrid } from '../../actions/flowGrid.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

export function mountFlowGrid(app: FastifyInstance, product: Product): void {
  mount(app, flowGrid.getFlowGrid, ({ params, query }) =>
    readFlowGrid({ ...params, page: query.page, size: query.size }, product),
  );
  mount(app, flowGrid.listCurrentTasks, ({ query }) => findCurrentTasks(query.ids, product));
}
