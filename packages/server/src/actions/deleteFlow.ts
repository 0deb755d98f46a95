import { AppError } from '@millrace/contract';
import { insertRevision, type SaveParts } from './saveFlow.ts';

/** Deletes a flow by a last revision that says so; the ones before stay readable. */
export async function deleteFlow(
  key: { readonly namespace: string; readonly id: string },
  parts: SaveParts,
): Promise<void> {
  const latest = await parts.store.getFlow(key.namespace, key.id);
  if (!latest || latest.deleted) {
    throw new AppError('not-found', `there is no flow "${key.id}" in the namespace "${key.namespace}"`);
  }
  const marker = { ...latest, revision: latest.revision + 1, deleted: true, updatedAt: parts.clock() };
  await insertRevision(marker, { latest, flow: undefined }, parts);
}
