import { quietStart } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

export function mountQuietStart(app: FastifyInstance, { activity }: Pick<Product, 'activity'>): void {
  mount(app, quietStart.getQuietStart, () => ({ isQuiet: activity.isQuiet }));

  mount(app, quietStart.endQuietStart, async () => {
    await activity.end();
    return { isQuiet: activity.isQuiet };
  });
}
