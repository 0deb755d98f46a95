import type { Product } from '../product.ts';
import { parentsOf } from './namespaceName.ts';

type Parts = Pick<Product, 'store' | 'config'>;

/** Namespaces that hold flows, values or files, sorted. */
export async function listFilledNamespaces({ store }: Pick<Parts, 'store'>): Promise<string[]> {
  const lists = await Promise.all([store.listFlowNamespaces(), store.listDataNamespaces()]);
  return [...new Set(lists.flat())].sort();
}

/** The same with every namespace above one, and the one of the system. */
export async function listNamespaces({ store, config }: Parts): Promise<string[]> {
  const filled = await listFilledNamespaces({ store });
  const all = filled.flatMap((namespace) => [namespace, ...parentsOf(namespace)]);
  return [...new Set([...all, config.systemNamespace])].sort();
}
