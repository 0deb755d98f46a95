import { AppError, executions } from '@millrace/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fireWebhook } from '../../actions/fireWebhook.ts';
import type { Product } from '../../product.ts';
import { withoutOwnCookies } from '../cookies.ts';
import { type Handler, mount } from '../mount.ts';
import { view } from './executions.ts';

type Webhook = (typeof webhooks)[number];
const webhooks = [executions.webhookByGet, executions.webhookByPost, executions.webhookByPut] as const;

export function mountWebhooks(app: FastifyInstance, product: Product): void {
  const fire: Handler<Webhook> = async ({ params, text, request }) => {
    const headers = listValues({ ...request.headers, cookie: withoutOwnCookies(request.headers.cookie) });
    const subject = `webhook ${params.namespace}.${params.id}`;
    const execution = await product.auth.withKey(
      { subject, address: request.ip },
      () => fireWebhook({ ...params, body: text, headers, parameters: parametersOf(request) }, product),
      (error) => error instanceof AppError && error.code === 'not-found',
    );
    return view(product, execution);
  };
  for (const webhook of webhooks) mount<Webhook>(app, webhook, fire);
}

function parametersOf(request: FastifyRequest): Record<string, string[]> {
  return listValues(request.query as Record<string, string | string[] | undefined>);
}

/** Names to lists of values, as flows expect them in `trigger.headers` and `trigger.parameters`. */
function listValues(
  values: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value !== undefined && name !== '__proto__')
      lists[name] = typeof value === 'string' ? [value] : value;
  }
  return lists;
}
