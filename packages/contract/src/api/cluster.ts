import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { pagedOf } from '../paging.ts';

/** One process of the product. */
export const ServiceInstance = z.object({
  id: z.string(),
  type: z.enum(['STANDALONE', 'WEBSERVER', 'EXECUTOR', 'WORKER', 'SCHEDULER']),
  state: z.enum(['RUNNING', 'NOT_RUNNING']),
  roles: z.array(z.string()),
  workerGroup: z.string().optional(),
  createdAt: z.iso.datetime(),
  /** When its last heartbeat arrived. */
  updatedAt: z.iso.datetime(),
});
export type ServiceInstance = z.infer<typeof ServiceInstance>;

export const listServices = endpoint({
  method: 'GET',
  path: '/cluster/services',
  summary: 'Lists the processes that work on the same data',
  reply: pagedOf(ServiceInstance),
});

export const getService = endpoint({
  method: 'GET',
  path: '/cluster/services/{id}',
  summary: 'Tells about one of the processes that work on the same data',
  params: z.object({ id: z.string() }),
  reply: ServiceInstance,
});
