import { AppError, type KvEntry, kv } from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import type { KvEntryRecord } from '@millrace/store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readKvText } from '../../kv/readKvText.ts';
import type { Product } from '../../product.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';
import type { QueryValues } from '../query.ts';

export function mountKv(app: FastifyInstance, product: Product): void {
  const { store, keyValues, clock, config } = product;

  mount(app, kv.searchKv, async ({ query, request }) => {
    const now = clock();
    const context = { now, systemNamespace: config.systemNamespace };
    const filters = readFilters(request.query as QueryValues, 'kv', context);
    const { results, total } = await store.listKv({ ...toPageQuery(query), filters, aliveAt: now });
    return { results: results.map(presentEntry), total };
  });

  mount(app, kv.listKv, async ({ params }) =>
    (await keyValues.list(params.namespace, { expired: false })).map(presentEntry),
  );
  mount(app, kv.listInheritedKv, async ({ params }) =>
    (await keyValues.listInherited(params.namespace)).map(presentEntry),
  );
  mount(app, kv.getKv, async ({ params }) => {
    const { type, value } = await keyValues.read(params.namespace, params.key);
    return value === null ? { type } : { type, value };
  });
  mount(app, kv.putKv, async ({ params, body, request }) => {
    const ttlMs = readTtl(headerOf(request, 'ttl'));
    const description = headerOf(request, 'description');
    await keyValues.write({
      ...params,
      ...readKvText(body),
      ...(ttlMs === undefined ? {} : { ttlMs }),
      ...(description === undefined ? {} : { description }),
    });
  });
  mount(app, kv.deleteKv, ({ params }) => keyValues.delete(params.namespace, params.key));
  mount(app, kv.deleteKvKeys, async ({ params, body }) => {
    const deleted: string[] = [];
    for (const key of new Set(body.keys)) {
      if (await keyValues.delete(params.namespace, key)) deleted.push(key);
    }
    return { keys: deleted };
  });
}

export function presentEntry(entry: KvEntryRecord): KvEntry {
  const { namespace, key, description, version, createdAt, updatedAt, expiresAt } = entry;
  return {
    namespace,
    key,
    ...(description === undefined ? {} : { description }),
    version,
    creationDate: new Date(createdAt).toISOString(),
    updateDate: new Date(updatedAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expirationDate: new Date(expiresAt).toISOString() }),
  };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const text = [request.headers[name] ?? ''].flat().join(', ');
  return text === '' ? undefined : text;
}

/** Until the last date a clock can show. */
const maxTtlMs = 8.64e15 - 4e12;

function readTtl(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0 || ms > maxTtlMs)
    throw new AppError('illegal-argument', `the ttl "${text}" is not a duration such as PT1H or P30D`);
  return ms;
}
