import { AppError, cluster } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { listServices } from '../../cluster/services.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

export function mountCluster(app: FastifyInstance, product: Product): void {
  mount(app, cluster.listServices, () => {
    const results = listServices(product);
    return { results, total: results.length };
  });

  mount(app, cluster.getService, ({ params }) => {
    const found = listServices(product).find(({ id }) => id === params.id);
    if (!found) throw new AppError('not-found', `there is no service "${params.id}"`);
    return found;
  });
}
