import { playground } from '@millrace/contract';
import { presentExecution } from '@millrace/engine';
import type { FastifyInstance } from 'fastify';
import { previewPlayground, startPlayground } from '../../actions/startPlayground.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { onBehalfOf } from '../onBehalfOf.ts';

export function mountPlayground(app: FastifyInstance, product: Product): void {
  mount(app, playground.planPlayground, ({ params, body }) => previewPlayground(params, body, product));

  mount(app, playground.startPlayground, async ({ params, body, request }) => {
    const execution = await startPlayground(params, body, onBehalfOf(request, product));
    return presentExecution(execution, [], product.clock());
  });
}
