import type { FastifyInstance } from 'fastify';
import type { ProcessLog } from '../processLog.ts';
import type { RequestSpan, Tracing } from '../tracing/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request in a trace; undefined unless traces are sent somewhere. */
    span: RequestSpan | undefined;
  }
}

export interface RequestLogOptions {
  readonly log: ProcessLog;
  /** Whether every request gets a line. */
  readonly isWanted: boolean;
  readonly tracing: Tracing | undefined;
}

/** The id of a request: the one that a proxy gave it, when it looks like one. It stands in answers and in the log. */
export const requestIdPattern = /^[\w.:-]{1,64}$/;

/** Answers carry the id of their request; lines and spans are written when they are wanted, and cost nothing else. */
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
  if (!isWanted && !tracing) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? '';
    request.span?.end({ route, method, status: reply.statusCode });
    if (isWanted) {
      log.info('A request was answered.', {
        requestId: request.id,
        method,
        // Without the query, and with the route's own words for what may be a key.
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        ...(request.user ? { username: request.user.username } : {}),
      });
    }
    done();
  });
}
