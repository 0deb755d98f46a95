import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FlowFilters } from './flows.ts';

const Keys = z.array(z.looseObject({ namespace: z.string(), id: z.string() }));
const Count = z.object({ count: z.number().int() });

export const disableFlowsByIds = endpoint({
  method: 'POST',
  path: '/flows/disable/by-ids',
  summary: 'Switches flows off, by a list',
  body: Keys,
  reply: Count,
});

export const disableFlowsByQuery = endpoint({
  method: 'POST',
  path: '/flows/disable/by-query',
  summary: 'Switches flows off, by a query',
  query: FlowFilters,
  reply: Count,
});

export const enableFlowsByIds = endpoint({
  method: 'POST',
  path: '/flows/enable/by-ids',
  summary: 'Switches flows on, by a list',
  body: Keys,
  reply: Count,
});

export const enableFlowsByQuery = endpoint({
  method: 'POST',
  path: '/flows/enable/by-query',
  summary: 'Switches flows on, by a query',
  query: FlowFilters,
  reply: Count,
});

export const deleteFlowsByIds = endpoint({
  method: 'DELETE',
  path: '/flows/delete/by-ids',
  summary: 'Deletes flows, by a list',
  body: Keys,
  reply: Count,
});

export const deleteFlowsByQuery = endpoint({
  method: 'DELETE',
  path: '/flows/delete/by-query',
  summary: 'Deletes flows, by a query',
  query: FlowFilters,
  reply: Count,
});
