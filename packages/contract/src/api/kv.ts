import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { KvEntry, KvValue } from '../kv.ts';
import { Paging, pagedOf } from '../paging.ts';

const OfNamespace = z.object({ namespace: z.string() });
const KvKey = z.object({ namespace: z.string(), key: z.string() });

export const searchKv = endpoint({
  method: 'GET',
  path: '/kv',
  summary: 'Lists the key-value entries of all namespaces, without their values',
  query: z.looseObject({
    ...Paging.shape,
    q: z.string().optional(),
    namespace: z.string().optional(),
  }),
  reply: pagedOf(KvEntry),
});

export const listKv = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/kv',
  summary: 'Lists the key-value entries of exactly one namespace, without their values',
  params: OfNamespace,
  reply: z.array(KvEntry),
});

export const listInheritedKv = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/kv/inheritance',
  summary: 'Lists the entries that flows of a namespace see in the namespaces above it',
  params: OfNamespace,
  reply: z.array(KvEntry),
});

export const getKv = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/kv/{key}',
  summary: 'Reads a value with its type; 410 when it has expired',
  params: KvKey,
  reply: KvValue,
});

/** The headers `ttl` (an ISO duration) and `description` belong to it. The type is read from the text. */
export const putKv = endpoint({
  method: 'PUT',
  path: '/namespaces/{namespace}/kv/{key}',
  summary: 'Writes a value: JSON, a date, a duration or any text',
  params: KvKey,
  body: z.string(),
  bodyKind: 'text',
  status: 200,
});

export const deleteKv = endpoint({
  method: 'DELETE',
  path: '/namespaces/{namespace}/kv/{key}',
  summary: 'Deletes an entry and says whether there was one',
  params: KvKey,
  reply: z.boolean(),
});

export const deleteKvKeys = endpoint({
  method: 'DELETE',
  path: '/namespaces/{namespace}/kv',
  summary: 'Deletes several entries and names those that were there',
  params: OfNamespace,
  body: z.object({ keys: z.array(z.string()) }),
  reply: z.object({ keys: z.array(z.string()) }),
});
