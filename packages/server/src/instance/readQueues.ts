import type { InstanceQueues, InstanceScheduler } from '@millrace/contract';
import { kinds } from '../alerts/records.ts';
import type { Product } from '../product.ts';
import { dueSince } from '../scheduler/triggerState.ts';

type Parts = Pick<Product, 'store' | 'flows' | 'clock' | 'workers' | 'controls'>;

/** Counts stop here, so that a long queue cannot make the page slow. */
const maxCounted = 10_000;
const pageSize = 1_000;
const maxFlows = 100;
const maxOverdue = 1_000;
const maxNext = 10;

export async function readQueues(parts: Parts): Promise<InstanceQueues> {
  const { store, workers, clock } = parts;
  const [limits, work, flowEvents, alerts, [oldestAlert]] = await Promise.all([
    readLimits(parts),
    store.cluster?.pendingWork(maxCounted),
    store.openFlowEvents(clock() + 1, pageSize),
    store.countDocuments({ kind: kinds.pending, limit: maxCounted }),
    store.listDocuments({ kind: kinds.pending, limit: 1 }),
  ]);
  const own = workers().reduce((sum, worker) => sum + worker.waitingCount, 0);
  return {
    limits,
    tasks: [
      ...(own > 0 || !store.cluster ? [{ name: 'local', waiting: own }] : []),
      ...(work?.queues ?? []).map(({ name, waiting, oldestAt }) => ({
        name: groupOf(name),
        ...counted(waiting, oldestAt),
      })),
    ],
    commands: counted(work?.messages.waiting ?? 0, work?.messages.oldestAt),
    flowEvents: counted(flowEvents.length, flowEvents[0]?.at),
    alerts: counted(alerts, oldestAlert?.at),
  };
}

/** The worker group of a queue, or the server whose folders its tasks share. */
const groupOf = (queue: string): string => queue.replace(/^millrace:run[:@]?/, '') || 'default';

/** Queued executions by flow, the oldest execution first within a page. */
async function readLimits({ store, flows }: Parts): Promise<InstanceQueues['limits']> {
  const byFlow = new Map<string, { namespace: string; flowId: string; waiting: number; oldestAt: number }>();
  for (let page = 1; page <= maxCounted / pageSize; page++) {
    const { results } = await store.listExecutions({
      page,
      size: pageSize,
      sort: [{ field: 'state.startDate', descending: false }],
      filters: [{ field: 'state', operation: 'EQUALS', value: 'QUEUED' }],
    });
    for (const { execution } of results) {
      const { namespace, flowId, state } = execution;
      const key = `${namespace}/${flowId}`;
      const known = byFlow.get(key);
      if (known) known.waiting++;
      else byFlow.set(key, { namespace, flowId, waiting: 1, oldestAt: state.histories[0]?.date ?? 0 });
    }
    if (results.length < pageSize) break;
  }
  const longest = [...byFlow.values()].sort((a, b) => b.waiting - a.waiting).slice(0, maxFlows);
  return Promise.all(
    longest.map(async ({ namespace, flowId, waiting, oldestAt }) => {
      const limit = (await flows.find(namespace, flowId))?.flow.concurrency?.limit;
      return { namespace, flowId, ...counted(waiting, oldestAt), ...(limit === undefined ? {} : { limit }) };
    }),
  );
}

export async function readScheduler({ store, clock, controls }: Parts): Promise<InstanceScheduler> {
  const now = clock();
  const rows = await store.dueTriggers(Number.MAX_SAFE_INTEGER, maxOverdue);
  const due = rows
    .map((row) => ({ ...row, nextAt: dueSince(row) ?? now }))
    .sort((a, b) => a.nextAt - b.nextAt);
  const overdue = due.filter(({ nextAt }) => nextAt <= now);
  const pause = controls.schedulerPause;
  return {
    ...(pause ? { paused: { ...pause, at: new Date(pause.at).toISOString() } } : {}),
    overdue: overdue.length,
    latenessMs: now - (overdue[0]?.nextAt ?? now),
    next: due.slice(0, maxNext).map(({ namespace, flowId, triggerId, nextAt }) => ({
      namespace,
      flowId,
      triggerId,
      nextAt: new Date(nextAt).toISOString(),
    })),
  };
}

const counted = (waiting: number, oldestAt: number | undefined) => ({
  waiting,
  ...(oldestAt === undefined ? {} : { oldestAt: new Date(oldestAt).toISOString() }),
});
