import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Paging, pagedOf } from '../paging.ts';

/** `running` counts the executions that hold a concurrency slot of their flow. */
export const ConcurrencyLimit = z.object({
  tenantId: z.string().optional(),
  namespace: z.string(),
  flowId: z.string(),
  running: z.number().int(),
});
export type ConcurrencyLimit = z.infer<typeof ConcurrencyLimit>;

export const searchConcurrencyLimits = endpoint({
  method: 'GET',
  path: '/concurrency-limit/search',
  summary: 'Lists the flows with a concurrency limit and how many places are taken',
  query: z.looseObject({ page: Paging.shape.page, size: Paging.shape.size }),
  reply: pagedOf(ConcurrencyLimit),
});

/**
 * In other products this corrects a counter. Here executions own the concurrency slots and there is no
 * counter: the server ignores the number in the body, returns the real one, and starts queued executions
 * while slots are free.
 */
export const refreshConcurrencyLimit = endpoint({
  method: 'PUT',
  path: '/concurrency-limit/{namespace}/{flowId}',
  summary: 'Tells how many places of a flow are taken and starts who waits for a free one',
  params: z.object({ namespace: z.string(), flowId: z.string() }),
  reply: ConcurrencyLimit,
});
