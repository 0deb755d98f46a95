import { concurrencyLimits } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { listConcurrencyLimits, refreshConcurrencyLimit } from '../../actions/concurrencyLimits.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

export function mountConcurrencyLimits(app: FastifyInstance, product: Product): void {
  mount(app, concurrencyLimits.searchConcurrencyLimits, ({ query }) => listConcurrencyLimits(query, product));
  mount(app, concurrencyLimits.refreshConcurrencyLimit, ({ params }) =>
    refreshConcurrencyLimit(params, product),
  );
}
