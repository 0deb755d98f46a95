import { AppError, executions } from '@millrace/contract';
import type { WebhookReply } from '@millrace/plugin-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FiredWebhook, findWebhook, fireWebhook } from '../../actions/fireWebhook.ts';
import type { Product } from '../../product.ts';
import { clientOf } from '../client.ts';
import { withoutOwnCookies } from '../cookies.ts';
import { readIdempotencyKey } from '../idempotencyKey.ts';
import { type Handler, mount, noContent } from '../mount.ts';
import { view, waitForEnd } from './executions.ts';

type Webhook = (typeof webhooks)[number];
const webhooks = [executions.webhookByGet, executions.webhookByPost, executions.webhookByPut] as const;

export function mountWebhooks(app: FastifyInstance, product: Product): void {
  const fire: Handler<Webhook> = async ({ params, text, request, reply }) => {
    const webhook = await product.auth.openWithKey(
      { subject: `${params.namespace}/${params.id}`, key: params.key, client: clientOf(request) },
      () => findWebhook(params, product),
    );
    // Without the key a caller does not learn whether there is such a flow.
    if (!webhook) throw new AppError('not-found', 'there is no webhook with this key');
    product.controls.refuseStart('webhook');
    const fired = await fireWebhook(
      webhook,
      {
        body: text,
        headers: headersOf(request),
        parameters: parametersOf(request),
        idempotencyKey: readIdempotencyKey(request),
      },
      product,
    );
    if (!fired) return noContent;
    if (!('execution' in fired)) return sendReply(fired.reply, reply);
    return fired.reply ? sendReply(fired.reply, reply) : answer(fired, reply, product);
  };
  for (const webhook of webhooks) mount<Webhook>(app, webhook, fire);
}

/** Sends a trigger's reply to the calling service; it is not meant for users. */
function sendReply({ body, contentType = 'text/plain; charset=utf-8' }: WebhookReply, reply: FastifyReply) {
  void reply.code(200).type(contentType).send(body);
  return {};
}

/** Responds at once, or when the execution ends, with its outputs if the webhook's author wants them. */
async function answer({ execution, trigger }: FiredWebhook, reply: FastifyReply, product: Product) {
  const { wait, returnOutputs, responseCode = 200, responseContentType } = trigger;
  const shown = wait === true ? await waitForEnd(product, execution, reply) : view(product, execution);
  const body = wait === true && returnOutputs === true ? (shown.outputs ?? {}) : shown;
  const isText = responseContentType === 'text/plain';
  void reply
    .code(Number(responseCode))
    .type(isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
    .send(isText ? toText(body) : JSON.stringify(body));
  return body;
}

/** A single output is its own text. */
function toText(body: Readonly<Record<string, unknown>>): string {
  const values = Object.values(body);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(body);
}

/** The headers without the product's own cookies, which flows must not see. */
function headersOf({ headers }: FastifyRequest): Record<string, string[]> {
  const lists = listValues(headers, 'cookie');
  const cookie = withoutOwnCookies(headers.cookie);
  if (cookie !== undefined) lists.cookie = [cookie];
  return lists;
}

function parametersOf(request: FastifyRequest): Record<string, string[]> {
  return listValues(request.query as Record<string, string | string[] | undefined>);
}

/** Names to lists of values, as flows expect them in `trigger.headers` and `trigger.parameters`. */
function listValues(
  values: Readonly<Record<string, string | string[] | undefined>>,
  except?: string,
): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value !== undefined && name !== '__proto__' && name !== except)
      lists[name] = typeof value === 'string' ? [value] : value;
  }
  return lists;
}
