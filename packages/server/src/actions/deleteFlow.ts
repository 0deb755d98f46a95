import { AppError } from '@millrace/contract';
import { insertRevision, type SaveParts } from './saveFlow.ts';

/** Deletes a flow by appending a deletion revision; earlier revisions stay readable. */
export async function deleteFlow(
  key: { readonly namespace: string; readonly id: string },
  parts: SaveParts,
  author?: string,
): Promise<void> {
  const latest = await parts.store.getFlow(key.namespace, key.id);
  if (!latest || latest.deleted) {
    throw new AppError('not-found', `there is no flow "${key.id}" in the namespace "${key.namespace}"`);
  }
  const { author: _, message: __, ...last } = latest;
  const marker = {
    ...last,
    revision: latest.revision + 1,
    deleted: true,
    updatedAt: parts.clock(),
    ...(author && { author }),
  };
  await insertRevision(marker, { latest, flow: undefined }, parts);
}
