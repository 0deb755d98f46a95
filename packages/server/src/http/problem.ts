import { AppError, type BodyKind, type Endpoint, type ErrorCode, type JsonError } from '@millrace/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BulkRefusal } from '../actions/bulk.ts';
import { TooManyAttempts } from '../auth/loginThrottle.ts';
import { isDiskFull } from '../diskFull.ts';
import { InvalidJson } from '../parseJson.ts';
import type { ProcessLog } from '../processLog.ts';
import { sentMethod } from './head.ts';
import { endpointOf } from './routeConfig.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the body of this route is read; the content type cannot change it. */
    bodyKind?: BodyKind;
    /** The call of the contract that this route implements. */
    endpoint?: Endpoint;
  }
}

/** The status and the message prefix of every error code; the only mapping from codes to statuses. */
const answers: Record<ErrorCode, readonly [status: number, reason: string]> = {
  'invalid-entity': [422, 'Invalid entity'],
  'illegal-argument': [422, 'Illegal argument'],
  'illegal-state': [409, 'Illegal state'],
  'not-found': [404, 'Not Found'],
  conflict: [409, 'Illegal state'],
  'bad-request': [400, 'Bad Request'],
  unauthorized: [401, 'Unauthorized'],
  gone: [410, 'Resource has expired'],
  locked: [423, 'Locked'],
  'too-many-requests': [429, 'Too Many Requests'],
  unavailable: [503, 'Service Unavailable'],
  maintenance: [503, 'Maintenance'],
  'insufficient-storage': [507, 'Insufficient Storage'],
};

/** A refusal of the HTTP layer; its code is derived from its reason. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, detail: string) {
    super(detail);
    this.status = status;
    this.reason = reason;
  }
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  readonly detail: string;
  readonly errors?: readonly { message: string; path?: string }[];
}

interface ProblemResponse {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

/** Sends any error in the one format that clients know. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: ProcessLog,
): void {
  const { status, type, body } = problemResponse(error, request, log);
  if (error instanceof TooManyAttempts) reply.header('retry-after', error.retryAfterSeconds);
  if (reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  void reply
    .code(status)
    .type(type)
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The response to an error. A bug is logged with the request id, and the response reveals nothing. */
export function problemResponse(error: unknown, request: FastifyRequest, log: ProcessLog): ProblemResponse {
  const json = 'application/json';
  // Clients of bulk actions expect a separate format.
  if (error instanceof BulkRefusal) return { status: 400, type: json, body: error.body };
  const problem = describe(error) ?? {
    status: 500,
    code: 'internal-server-error',
    reason: 'Internal server error',
    detail: `see the server log for request ${request.id}`,
  };
  if (problem.status === 500 || problem.status === 507) {
    log.error('A request failed.', {
      requestId: request.id,
      method: sentMethod(request.raw),
      url: request.url,
      error,
    });
  }
  return endpointOf(request)?.plainTextStatus === problem.status
    ? { status: problem.status, type: 'text/plain; charset=utf-8', body: problem.detail }
    : { status: problem.status, type: json, body: toBody(problem, request) };
}

function toBody(problem: Problem, request: FastifyRequest): JsonError {
  return {
    message: problem.detail === '' ? problem.reason : `${problem.reason}: ${problem.detail}`,
    code: problem.code,
    _links: { self: [{ href: request.originalUrl, templated: false }] },
    ...(problem.errors && problem.errors.length > 0 ? { _embedded: { errors: [...problem.errors] } } : {}),
  };
}

function describe(error: unknown): Problem | undefined {
  if (error instanceof AppError) return describeCode(error.code, error.message, error.errors);
  if (error instanceof HttpRefusal) return describeReason(error.status, error.reason, error.message);
  if (error instanceof InvalidJson) return describeReason(422, 'Invalid json', error.message);
  if (error instanceof z.ZodError) return describeZodError(error);
  if (isDiskFull(error)) {
    return describeCode('insufficient-storage', 'the disk of the server is full, nothing was stored');
  }
  return describeFrameworkError(error);
}

function describeCode(code: ErrorCode, detail: string, errors: Problem['errors'] = []): Problem {
  const [status, reason] = answers[code];
  return { status, code, reason, detail, errors };
}

const describeReason = (status: number, reason: string, detail: string): Problem => ({
  status,
  code: reason.toLowerCase().replace(/\W+/g, '-'),
  reason,
  detail,
});

function describeZodError(error: z.ZodError): Problem {
  const errors = error.issues.map((issue) => ({ message: issue.message, path: issue.path.join('.') }));
  const detail = errors.map((e) => (e.path === '' ? e.message : `${e.path}: ${e.message}`)).join(', ');
  return describeCode('illegal-argument', detail, errors);
}

const frameworkReasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
};

/** Errors of fastify and its multipart parser: they carry a status below 500 and their own code. */
function describeFrameworkError(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !('statusCode' in error) || !('code' in error)) return undefined;
  const status = Number(error.statusCode);
  if (!(status >= 400 && status < 500)) return undefined;
  return describeReason(status, frameworkReasons[status] ?? 'Bad Request', error.message);
}
