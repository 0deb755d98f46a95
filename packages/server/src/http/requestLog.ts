import type { FastifyInstance } from 'fastify';
import type { ProcessLog } from '../processLog.ts';
import type { RequestSpan, Tracing } from '../tracing/tracing.ts';
import { sentMethod } from './head.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request in a trace; undefined unless traces are sent somewhere. */
    span: RequestSpan | undefined;
  }
}

export interface RequestLogOptions {
  readonly log: ProcessLog;
  /** Whether every request gets a line; at the level `debug` it does anyway. */
  readonly isWanted: boolean;
  readonly tracing: Tracing | undefined;
}

/** The id of a request: the proxy's, when it matches this pattern. It appears in responses and in the log. */
export const requestIdPattern = /^[\w.:-]{1,64}$/;

/** Adds the request id to responses; log lines and spans are written only when enabled. */
export function logRequests(app: FastifyInstance, { log, isWanted, tracing }: RequestLogOptions): void {
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (tracing) {
      const { traceparent } = request.headers;
      request.span = tracing.beginRequest(typeof traceparent === 'string' ? traceparent : undefined);
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const method = sentMethod(request.raw);
    const route = request.routeOptions.url ?? '';
    request.span?.end({ route, method, status: reply.statusCode });
    if (isWanted || log.level() === 'debug') {
      log[isWanted ? 'info' : 'debug']('A request was answered.', {
        requestId: request.id,
        method,
        // The route pattern, without the query and path values, which may contain a key.
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        ...(request.user ? { username: request.user.username } : {}),
        ...(request.user?.token === undefined ? {} : { token: request.user.token }),
      });
    }
    done();
  });
}
