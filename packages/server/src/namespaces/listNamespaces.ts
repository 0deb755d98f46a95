import type { Store } from '@millrace/store';
import type { Config } from '../config/schema.ts';
import { parentsOf } from './namespaceName.ts';

type Parts = { readonly store: Store; readonly config: Config };

/** Namespaces that hold flows, values or files, sorted. */
export async function listFilledNamespaces({ store }: Pick<Parts, 'store'>): Promise<string[]> {
  const lists = await Promise.all([store.listFlowNamespaces(), store.listDataNamespaces()]);
  return [...new Set(lists.flat())].sort();
}

/** The same with all parent namespaces and the system namespace. */
export async function listNamespaces({ store, config }: Parts): Promise<string[]> {
  const filled = await listFilledNamespaces({ store });
  const all = filled.flatMap((namespace) => [namespace, ...parentsOf(namespace)]);
  return [...new Set([...all, config.systemNamespace])].sort();
}
