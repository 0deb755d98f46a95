import { AppError } from '@millrace/contract';
import { Conflict, type Store } from '@millrace/store';
import type { FlowCache } from './flowCache.ts';

/** Deletes old revisions of a flow; refuses all of them when one is the latest, unknown, or still running. */
export async function deleteRevisions(
  { namespace, id }: { readonly namespace: string; readonly id: string },
  wanted: readonly number[],
  { store, flows }: { readonly store: Store; readonly flows: FlowCache },
): Promise<void> {
  const revisions = [...new Set(wanted)];
  if (revisions.length === 0) throw new AppError('illegal-argument', 'no revision to delete is named');
  const known = (await store.listRevisions(namespace, id)).map(({ revision }) => revision);
  if (known.length === 0)
    throw new AppError('not-found', `there is no flow "${id}" in the namespace "${namespace}"`);
  for (const revision of revisions) {
    if (!known.includes(revision))
      throw new AppError('not-found', `the flow "${id}" has no revision ${revision}`);
    if (revision === known.at(-1))
      throw new AppError('illegal-argument', `revision ${revision} is the latest one and cannot be deleted`);
  }
  try {
    await store.commit(
      revisions.map((revision) => ({ op: 'flow.deleteRevision', namespace, id, revision }) as const),
    );
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    throw new AppError('illegal-state', 'an execution that is not over runs one of these revisions', {
      cause: error,
    });
  }
  flows.evictRevisions(namespace, id);
}
