import { AppError, namespaces } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import { namespaceTopology } from '../../actions/flowTopology.ts';
import { listFilledNamespaces, listNamespaces } from '../../namespaces/listNamespaces.ts';
import type { Product } from '../../product.ts';
import {
  noteSecretExpiration,
  presentSecret,
  readSecretExpirations,
} from '../../secrets/secretExpirations.ts';
import { readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import { pageOf } from '../paging.ts';
import type { QueryValues } from '../query.ts';

export function mountNamespaces(app: FastifyInstance, product: Product): void {
  const { secrets, clock, config, store } = product;

  mount(app, namespaces.searchNamespaces, async ({ query }) => {
    const found = matching(await listNamespaces(product), query.q);
    const { results, total } = pageOf(found, query, { id: (namespace) => namespace });
    return { results: results.map((id) => ({ id, deleted: false, disabled: true })), total };
  });

  mount(app, namespaces.autocompleteNamespaces, async ({ body }) => {
    const all = await (body.existingOnly ? listFilledNamespaces(product) : listNamespaces(product));
    const wanted = new Set(body.ids ?? []);
    const found = matching(all, body.q ?? undefined);
    return all.filter((namespace) => wanted.has(namespace) || found.includes(namespace));
  });

  mount(app, namespaces.getNamespace, ({ params }) => ({ id: params.namespace, deleted: false }));

  mount(app, namespaces.getNamespaceDependencies, ({ params, query }) =>
    namespaceTopology(params.namespace, query.destinationOnly, product),
  );

  mount(app, namespaces.listSecrets, async ({ query, request }) => {
    const context = { now: clock(), systemNamespace: config.systemNamespace };
    const filters = readFilters(request.query as QueryValues, 'secret', context);
    const names = filters.reduce((left, { operation, value }) => {
      const found = new Set(matching(left, String(value)));
      return left.filter((name) => found.has(name) === (operation === 'EQUALS'));
    }, secrets.names());
    const { results, total } = pageOf(names, query, { key: (name) => name });
    const expirations = await readSecretExpirations(store);
    const shown = results.map((key) => presentSecret(key, expirations.get(key)));
    return { readOnly: true, results: shown, total };
  });

  mount(app, namespaces.noteSecretExpiration, async ({ params, body }) => {
    if (!secrets.names().includes(params.key))
      throw new AppError('not-found', `there is no secret "${params.key}"`);
    return noteSecretExpiration(params.key, body.expirationDate, store);
  });

  // Every namespace sees all of them, so there is nothing above one to inherit from.
  mount(app, namespaces.listInheritedSecrets, ({ params }) => ({ [params.namespace]: [...secrets.names()] }));
}

function matching(names: readonly string[], q: string | undefined): string[] {
  const wanted = (q ?? '').toLowerCase();
  return names.filter((name) => name.toLowerCase().includes(wanted));
}
