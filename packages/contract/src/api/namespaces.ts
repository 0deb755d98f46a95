import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Namespace, NamespaceInList, SecretInList, SecretList } from '../namespace.ts';
import { flag, Paging, pagedOf } from '../paging.ts';
import { FlowTopology } from '../topology.ts';

const OfNamespace = z.object({ namespace: z.string() });

export const searchNamespaces = endpoint({
  method: 'GET',
  path: '/namespaces/search',
  summary: 'Lists the namespaces that hold something, and those above them',
  query: z.looseObject({ ...Paging.shape, q: z.string().optional(), existing: flag(false) }),
  reply: pagedOf(NamespaceInList),
});

export const autocompleteNamespaces = endpoint({
  method: 'POST',
  path: '/namespaces/autocomplete',
  summary: 'Suggests namespaces for a text',
  body: z.looseObject({
    q: z.string().nullish(),
    ids: z.array(z.string()).nullish(),
    existingOnly: z.boolean().nullish(),
  }),
  reply: z.array(z.string()),
});

export const getNamespace = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}',
  summary: 'Reads a namespace; every name is one',
  params: OfNamespace,
  reply: Namespace,
});

export const getNamespaceDependencies = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/dependencies',
  summary: 'Shows how the flows of a namespace start each other and others',
  params: OfNamespace,
  query: z.looseObject({ destinationOnly: flag(false) }),
  reply: FlowTopology,
});

export const listSecrets = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/secrets',
  summary: 'Lists the names of the secrets that a namespace can use',
  params: OfNamespace,
  query: z.looseObject({ ...Paging.shape, q: z.string().optional() }),
  reply: SecretList,
});

export const listInheritedSecrets = endpoint({
  method: 'GET',
  path: '/namespaces/{namespace}/inherited-secrets',
  summary: 'Lists the names of secrets by the namespace they come from',
  params: OfNamespace,
  reply: z.record(z.string(), z.array(z.string())),
});

/** The inbox reminds of the date. Secrets are the same in every namespace, so the date is too. */
export const noteSecretExpiration = endpoint({
  method: 'PUT',
  path: '/namespaces/{namespace}/secrets/{key}/expiration',
  summary: 'Notes when a secret expires; null removes the date',
  params: z.object({ namespace: z.string(), key: z.string() }),
  body: z.strictObject({ expirationDate: z.iso.datetime({ offset: true }).nullable() }),
  reply: SecretInList,
});
