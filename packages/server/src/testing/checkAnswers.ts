import { isDeepStrictEqual } from 'node:util';
import { BulkErrorResponse, type Endpoint, Job, JsonError } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

/** Checks every response against the contract: its status, and that its body matches the schema exactly. */
export function checkAnswers(app: FastifyInstance, report: (problem: string) => void): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config;
    const problem = endpoint && describeProblem(endpoint, reply.statusCode, payload);
    if (problem !== undefined) report(`${request.method} ${request.url} (${reply.statusCode}): ${problem}`);
    return payload;
  });
}

function describeProblem(endpoint: Endpoint, status: number, payload: unknown): string | undefined {
  if (status === 204 || status === 401 || (status >= 300 && status < 400)) return undefined;
  if (status === endpoint.plainTextStatus)
    return typeof payload === 'string' && payload !== '' ? undefined : 'it says nothing';
  if (status >= 400) return describeMismatch(z.union([BulkErrorResponse, JsonError]), payload);
  // The author of a webhook defines the response to calls with a key.
  if (endpoint.access === 'key') return undefined;
  if (status === 202 && endpoint.status !== 202) return describeMismatch(Job, payload);
  if (status !== endpoint.status) return `the contract says ${endpoint.status}`;
  if (endpoint.replyKind === 'json') return describeMismatch(endpoint.reply, payload);
  const isEmpty = payload === undefined || payload === null || payload === '';
  if (endpoint.replyKind === 'none' && !isEmpty) return 'the contract says nothing about a body';
  return undefined;
}

function describeMismatch(schema: z.ZodType | undefined, payload: unknown): string | undefined {
  if (typeof payload !== 'string') return 'the answer is not JSON';
  const answer = JSON.parse(payload) as unknown;
  const parsed = schema?.safeParse(answer);
  if (!parsed) return 'the contract has no schema for it';
  if (!parsed.success) return z.prettifyError(parsed.error);
  // Objects drop what their schema does not know.
  return isDeepStrictEqual(parsed.data, answer)
    ? undefined
    : `it says more than its schema: ${firstDifference(answer, parsed.data, 'answer')}`;
}

function firstDifference(given: unknown, known: unknown, path: string): string | undefined {
  if (typeof given !== 'object' || given === null || typeof known !== 'object' || known === null) {
    return isDeepStrictEqual(given, known) ? undefined : path;
  }
  for (const [key, value] of Object.entries(given)) {
    const difference = firstDifference(value, (known as Record<string, unknown>)[key], `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
