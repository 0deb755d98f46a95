import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Product } from '../product.ts';

/** `POST /executions/{executionId}/pause` is also how a flow with the id `pause` would be started. */
const actionPath = /^POST \/api\/v1\/executions\/:executionId\/(.+)$/;

/**
 * Resolves ambiguous paths: when no execution has that id, but a flow has the action's name as its id, the
 * call starts (or validates) that flow. The request is routed again before its body is read.
 */
export function routeFlowsNamedLikeActions(app: FastifyInstance, { store }: Product): void {
  app.addHook('onRequest', async (request, reply) => {
    const target = flowPath(request);
    const flow = target && (await store.getFlow(target.namespace, target.id));
    if (!flow || flow.deleted || (await store.getExecutionRecord(flow.namespace))) return;
    return routeAgain(app, request, reply);
  });
}

function flowPath({ routeOptions, params, method }: FastifyRequest) {
  const [, rest] = actionPath.exec(`${method} ${routeOptions.url ?? ''}`) ?? [];
  if (rest === undefined) return undefined;
  const { executionId, taskRunId } = params as { executionId: string; taskRunId?: string };
  const [id = '', next] = rest.replace(':taskRunId', taskRunId ?? '').split('/');
  return next === undefined || next === 'validate' ? { namespace: executionId, id } : undefined;
}

function routeAgain(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.url = request.originalUrl.replace(/\/executions\/(?=[^/?]+\/)/, '/executions/trigger/');
  app.routing(request.raw, reply.raw);
  return reply;
}
