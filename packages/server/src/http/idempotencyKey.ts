import { AppError } from '@millrace/contract';
import type { FastifyRequest } from 'fastify';

/** The idempotency key of a request: a second request with the same key starts nothing. */
export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = [header].flat().join(',');
  if (key.length > 255)
    throw new AppError('illegal-argument', 'the Idempotency-Key is longer than 255 characters');
  return key;
}
