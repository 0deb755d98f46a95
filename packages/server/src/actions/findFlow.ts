import { AppError } from '@millrace/contract';
import type { FlowCache, StoredFlow } from './flowCache.ts';

/** A flow for readers: a deleted flow is found only by its revision, or when deleted flows are requested. */
export async function findFlow(
  { flows }: { readonly flows: FlowCache },
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
