import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@millrace/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { bodyLimits, checkContentType, checkLength } from './body.ts';
import { type Form, readForm, type TakeFile } from './form.ts';
import { prefersJob } from './jobs/jobs.ts';
import { HttpRefusal } from './problem.ts';

/** A request whose parts have been checked against the endpoint. */
export interface Call<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The body as it came, for endpoints that take any text. */
  readonly text: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The fields of a multipart body; empty when there is no body. Files are given to `take` as they arrive. */
  readForm(take: TakeFile): Promise<Form>;
}

/** The result of a handler; `noContent` is 204, for endpoints that may have no body. */
export type Answer<E> = ReplyOf<E> | typeof noContent;
export type Handler<E> = (call: Call<E>) => Promise<Answer<E>> | Answer<E> | Silent<E>;
/** Endpoints without a reply may end without a value. */
type Silent<E> = undefined extends ReplyOf<E> ? Promise<void> : never;

export const noContent: unique symbol = Symbol('no content');

export const apiRoot = '/api/v1';

/** Where a call is, from the root of the server. */
export const pathOf = ({ base, path }: Endpoint): string =>
  base === undefined || base === 'product' ? apiRoot + path : path;

/** Mounts one call of the contract. The handler only sees input that its schemas accepted. */
export function mount<E extends Endpoint>(app: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  const runAsJob = async (call: Call<E>) => {
    const answer = await handler(call);
    return answer === noContent ? { status: 204 } : { status: endpoint.status, body: answer };
  };
  app.jobs?.register(endpoint, (request) => runAsJob(readCall(endpoint, request, undefined)));
  app.route({
    method: endpoint.method,
    url: pathOf(endpoint).replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyLimits[endpoint.bodyKind],
    config: { bodyKind: endpoint.bodyKind, access: endpoint.access ?? 'credentials', endpoint },
    onRequest: (request, _reply, done) => {
      checkLength(endpoint.bodyKind, request.headers['content-length']);
      checkContentType(endpoint.bodyKind, request.headers['content-type'], isEmpty(request));
      done();
    },
    handler: async (request, reply) => {
      const call = readCall(endpoint, request, reply);
      if (app.jobs && prefersJob(endpoint, request)) {
        const job = await app.jobs.run(() => runAsJob(call), request, endpoint);
        return job.sendTo(reply);
      }
      const answer = await handler(call);
      if (reply.sent || endpoint.replyKind === 'stream' || endpoint.replyKind === 'file') return reply;
      if (answer === noContent) return reply.code(204).send();
      reply.code(endpoint.status);
      return endpoint.replyKind === 'none' ? reply.send() : reply.send(answer);
    },
  });
}

/** Without a reply the call is a job of an earlier process. */
function readCall<E extends Endpoint>(
  endpoint: E,
  request: FastifyRequest,
  reply: FastifyReply | undefined,
): Call<E> {
  const text = typeof request.body === 'string' ? request.body : undefined;
  // The schemas of this endpoint produced the values; TypeScript cannot infer that through `E`.
  return {
    params: endpoint.params ? endpoint.params.parse(request.params) : {},
    query: endpoint.query ? endpoint.query.parse(request.query) : {},
    body: endpoint.body ? readBody(endpoint.body, request.body) : undefined,
    text,
    request,
    reply,
    readForm: (take) => readForm(request, take),
  } as Call<E>;
}

function readBody(schema: z.ZodType, body: unknown): unknown {
  if (body === undefined || body === null)
    throw new HttpRefusal(422, 'Invalid route params', 'a body is required');
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new HttpRefusal(422, 'Invalid json mapping', z.prettifyError(parsed.error));
}

function isEmpty(request: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding === undefined && (length === undefined || length === '0');
}
