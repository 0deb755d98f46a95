import type { Actor } from '@millrace/contract';
import type { FastifyRequest } from 'fastify';
import { itemKey } from '../actions/longAction.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { signedExecutor } from '../executor/signedExecutor.ts';
import type { Product } from '../product.ts';

/** The product with an executor that records the caller of the request. */
export type SignedProduct = Omit<Product, 'executor'> & { readonly executor: ExecutorPort };

export const onBehalfOf = (request: FastifyRequest, product: Product): SignedProduct => ({
  ...product,
  executor: signedExecutor(product.executor, {
    by: actorOf(request),
    refuseStart: () => product.controls.refuseStart('manual'),
    itemKey,
  }),
});

function actorOf({ user, headers }: FastifyRequest): Actor {
  // Every browser sends this header, and no page can remove it.
  const via = headers['sec-fetch-mode'] === undefined ? 'api' : 'web';
  if (!user) return { type: 'anonymous', via };
  const { username, token } = user;
  return { type: 'user', id: username, via, ...(token === undefined ? {} : { token }) };
}
