import { AppError } from '@millrace/contract';
import type { Product } from '../product.ts';
import type { StoredFlow } from './flowCache.ts';

/** A flow as readers see it: a deleted one is only there when its revision, or deleted ones, are asked for. */
export async function findFlow(
  { flows }: Pick<Product, 'flows'>,
  { namespace, id }: { readonly namespace: string; readonly id: string },
  revision?: number,
  allowDeleted = false,
): Promise<StoredFlow> {
  const stored = await flows.find(namespace, id, revision);
  const isHidden = stored?.record.deleted && revision === undefined && !allowDeleted;
  if (!stored || isHidden)
    throw new AppError('not-found', `there is no flow "${id}" in the namespace "${namespace}"`);
  return stored;
}
