import type { Inbox, InboxFailure, InboxItem } from '@millrace/contract';
import { FailureGroup, failureKinds, hourMs, trendHours } from '../alerts/failures.ts';
import { isInScope } from '../alerts/rules/scope.ts';
import { dataOf } from '../storedDocument.ts';
import { type ExpiringParts, findExpiring } from './expiringItems.ts';
import { isHidden, presentMark, readMarks, type StoredMark } from './marks.ts';
import { findWaiting, type WaitingParts } from './waitingItems.ts';

export interface InboxParts extends WaitingParts, ExpiringParts {
  readonly clock: () => number;
}

const maxGroups = 300;
const shownForMs = 14 * 86_400_000;

/** Everything that needs attention. Each list is read through an index and has an upper limit. */
export async function readInbox(
  query: { readonly namespace?: string | undefined; readonly hidden: boolean },
  parts: InboxParts,
): Promise<Inbox> {
  const now = parts.clock();
  const [marks, failures, atWork, expiring] = await Promise.all([
    readMarks(parts.store),
    readFailures(query.namespace, now, parts),
    findWaiting(query.namespace, now, parts),
    query.namespace === undefined ? findExpiring(now, parts) : [],
  ]);
  const waiting = [...atWork, ...expiring];
  const isShown = (item: InboxItem | InboxFailure) =>
    !isHidden(marks.get(item.key), Date.parse(item.at), now);
  const open = { failures: failures.filter(isShown), items: waiting.filter(isShown) };
  const shown = query.hidden ? { failures, items: waiting } : open;
  const hidden = failures.length + waiting.length - open.failures.length - open.items.length;
  return {
    failures: shown.failures.map((failure) => withMark(failure, marks)),
    items: shown.items.map((item) => withMark(item, marks)),
    open: open.items.length + open.failures.filter(({ recoveredAt }) => recoveredAt === undefined).length,
    hidden,
  };
}

function withMark<T extends { readonly key: string }>(item: T, marks: ReadonlyMap<string, StoredMark>): T {
  const mark = marks.get(item.key);
  return mark ? { ...item, mark: presentMark(mark) } : item;
}

async function readFailures(
  namespace: string | undefined,
  now: number,
  { store }: InboxParts,
): Promise<InboxFailure[]> {
  const documents = await store.listDocuments({
    kind: failureKinds.group,
    from: now - shownForMs,
    descending: true,
    limit: maxGroups,
  });
  const groups = documents
    .flatMap((document) => dataOf(FailureGroup, document) ?? [])
    .filter((group) => isInScope({ namespace }, group));
  const flows = new Map(
    groups.map((group) => [
      `${group.namespace}/${group.flowId}`,
      { namespace: group.namespace, id: group.flowId },
    ]),
  );
  const latest = await store.latestExecutions([...flows.values()], 'end');
  const succeededAt = new Map(
    latest.flatMap(({ execution: { namespace: of, flowId, state } }) =>
      state.current === 'SUCCESS' ? [[`${of}/${flowId}`, state.histories.at(-1)?.date ?? 0]] : [],
    ),
  );
  return groups
    .map((group) => presentGroup(group, succeededAt.get(`${group.namespace}/${group.flowId}`) ?? 0, now))
    .sort((a, b) => Number(a.recoveredAt !== undefined) - Number(b.recoveredAt !== undefined));
}

export function presentGroup(group: FailureGroup, succeededAt: number, now: number): InboxFailure {
  const { id, namespace, flowId, taskId, message, firstAt, lastAt, count, lastExecutionId } = group;
  const hour = Math.floor(now / hourMs);
  return {
    key: `failure/${id}`,
    groupId: id,
    namespace,
    flowId,
    ...(taskId === undefined ? {} : { taskId }),
    message,
    firstAt: iso(firstAt),
    at: iso(lastAt),
    count,
    trend: Array.from({ length: trendHours }, (_, index) => group.trend[hour - trendHours + 1 + index] ?? 0),
    executionId: lastExecutionId,
    ...(succeededAt > lastAt ? { recoveredAt: iso(succeededAt) } : {}),
  };
}

const iso = (at: number): string => new Date(at).toISOString();
