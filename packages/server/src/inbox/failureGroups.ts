import { AppError, type BulkResponse, type StateType } from '@millrace/contract';
import type { Store } from '@millrace/store';
import { actOnMany, type BulkAction } from '../actions/bulk.ts';
import { failureKinds } from '../alerts/failures.ts';

const pageSize = 1_000;
/** As many as a bulk action accepts. */
const maxMembers = 100_000;

export interface GroupMember {
  readonly executionId: string;
  readonly failedAt: string;
  readonly state?: StateType;
}

/** One page of the executions of a group with their current states, the newest first. */
export async function listMembers(
  groupId: string,
  { page, size }: { readonly page: number; readonly size: number },
  store: Store,
): Promise<{ results: GroupMember[]; hasMore: boolean }> {
  await requireGroup(groupId, store);
  const documents = await store.listDocuments({
    kind: failureKinds.failure,
    parent: groupId,
    descending: true,
    limit: size + 1,
    offset: (page - 1) * size,
  });
  const shown = documents.slice(0, size);
  const states = new Map(
    (await store.listStates(shown.map(({ id }) => id))).map(({ id, state }) => [id, state]),
  );
  return {
    results: shown.map(({ id, at }) => {
      const state = states.get(id);
      return { executionId: id, failedAt: new Date(at).toISOString(), ...(state ? { state } : {}) };
    }),
    hasMore: documents.length > size,
  };
}

/** Restarts the members that are still failed; those that were restarted or deleted meanwhile are skipped. */
export async function restartGroup(
  groupId: string,
  act: BulkAction['act'],
  store: Store,
): Promise<BulkResponse> {
  await requireGroup(groupId, store);
  const ids: string[] = [];
  for (let offset = 0; offset < maxMembers; offset += pageSize) {
    const members = await store.listDocuments({
      kind: failureKinds.failure,
      parent: groupId,
      limit: pageSize,
      offset,
    });
    const states = await store.listStates(members.map(({ id }) => id));
    ids.push(...states.filter(({ state }) => state === 'FAILED').map(({ id }) => id));
    if (members.length < pageSize) break;
  }
  const action: BulkAction = { refusal: 'invalid bulk restart', problemOf: () => undefined, act };
  return actOnMany({ ids }, action, { store });
}

async function requireGroup(groupId: string, store: Store): Promise<void> {
  if (!(await store.getDocument(failureKinds.group, groupId)))
    throw new AppError('not-found', `there is no failure group "${groupId}"`);
}
