import { type InboxItem, playgroundKind, type Task } from '@millrace/contract';
import { controlTypeOf, findTask } from '@millrace/engine';
import type { Filter, Store } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import { isPlayground } from '../alerts/rules/playground.ts';
import { isInScope } from '../alerts/rules/scope.ts';
import { limitOf } from '../alerts/rules/usualDuration.ts';
import type { UsualDurations } from '../alerts/usualDurations.ts';
import { findLateSchedules } from '../alerts/violations.ts';
import { missedSchedules } from './missedSchedules.ts';

export interface WaitingParts {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly usualDurations: UsualDurations;
}

/** Each list reads this many rows through an index, however many executions there are. */
const maxRows = 200;
const lateMs = 5 * 60_000;
const queuedMs = 5 * 60_000;
/** An execution that runs this many times as long as usual, and at least this long, deserves a look. */
const longFactor = 3;
const longAtLeastMs = 5 * 60_000;

/** Everything that waits for an operator besides failures. */
export async function findWaiting(
  namespace: string | undefined,
  now: number,
  parts: WaitingParts,
): Promise<InboxItem[]> {
  const lists = await Promise.all([
    approvals(parts),
    lateSchedules(now, parts),
    missedSchedules(now, parts.store),
    longRunning(now, parts),
    queues(now, parts),
  ]);
  return lists.flat().filter((item) => 'flowId' in item && isInScope({ namespace }, item));
}

/** Pauses that end only when a user resumes them. */
async function approvals({ store, flows }: WaitingParts): Promise<InboxItem[]> {
  const isPaused: Filter = { field: 'state', operation: 'EQUALS', value: 'PAUSED' };
  const page = { page: 1, size: maxRows };
  const { results } = await store.searchTaskRuns({ filters: [isPaused], ...page });
  if (results.length === 0) return [];
  const tried = await store.listExecutions({ filters: [isPaused, isPlayground], ...page });
  const skipped = new Set(tried.results.map(({ execution }) => execution.id));
  const found = await Promise.all(
    results.map(async ({ namespace, flowId, taskRun }): Promise<InboxItem[]> => {
      const flow = (await flows.find(namespace, flowId).catch(() => undefined))?.runnable;
      const task = flow && findTask(flow, taskRun.taskId);
      if (skipped.has(taskRun.executionId)) return [];
      if (!task || controlTypeOf(task.type) !== 'core.flow.Pause' || resumesItself(task)) return [];
      return [
        {
          kind: 'approval',
          key: `approval/${taskRun.executionId}/${taskRun.id}`,
          namespace,
          flowId,
          at: iso(taskRun.state.histories.at(-1)?.date ?? 0),
          executionId: taskRun.executionId,
          taskId: taskRun.taskId,
          inputs: inputsOf(task),
          ...(typeof task.description === 'string' ? { description: task.description } : {}),
        },
      ];
    }),
  );
  return found.flat();
}

const resumesItself = ({ pauseDuration, delay }: Task): boolean =>
  pauseDuration !== undefined || delay !== undefined;

function inputsOf({ onResume }: Task): string[] {
  if (!Array.isArray(onResume)) return [];
  return onResume.flatMap((input: unknown) => {
    if (typeof input !== 'object' || input === null) return [];
    const { displayName, id } = input as Record<string, unknown>;
    return [String(displayName ?? id)];
  });
}

async function lateSchedules(now: number, { store }: WaitingParts): Promise<InboxItem[]> {
  const late = await findLateSchedules(store, now - lateMs, maxRows);
  return late.map(({ namespace, flowId, triggerId, dueAt }) => ({
    kind: 'late',
    key: `late/${namespace}/${flowId}/${triggerId}`,
    namespace,
    flowId,
    triggerId,
    at: iso(dueAt),
  }));
}

async function longRunning(now: number, { store, usualDurations }: WaitingParts): Promise<InboxItem[]> {
  const { results } = await store.listExecutions({
    filters: [
      { field: 'state', operation: 'EQUALS', value: 'RUNNING' },
      { field: 'startDate', operation: 'LESS_THAN', value: now - longAtLeastMs },
    ],
    sort: [{ field: 'state.startDate', descending: false }],
    page: 1,
    size: maxRows,
  });
  const found: InboxItem[] = [];
  for (const { execution } of results) {
    const { id, namespace, flowId, kind } = execution;
    if (kind === playgroundKind) continue;
    const usual = await usualDurations.of({ namespace, id: flowId });
    const startedAt = execution.state.histories[0]?.date ?? now;
    if (!usual || now - startedAt < limitOf(usual, longFactor, longAtLeastMs)) continue;
    found.push({
      kind: 'long',
      key: `long/${id}`,
      namespace,
      flowId,
      executionId: id,
      at: iso(startedAt),
      usualMs: Math.round(usual.averageMs),
    });
  }
  return found;
}

/** Flows whose oldest queued execution waits for long. */
async function queues(now: number, { store }: WaitingParts): Promise<InboxItem[]> {
  const { results } = await store.listExecutions({
    filters: [{ field: 'state', operation: 'EQUALS', value: 'QUEUED' }],
    sort: [{ field: 'state.startDate', descending: false }],
    page: 1,
    size: maxRows,
  });
  const flows = new Map<string, { namespace: string; flowId: string; oldestAt: number; count: number }>();
  for (const { execution } of results) {
    const { namespace, flowId } = execution;
    const key = `queue/${namespace}/${flowId}`;
    const known = flows.get(key);
    if (known) known.count += 1;
    else flows.set(key, { namespace, flowId, count: 1, oldestAt: execution.state.histories[0]?.date ?? now });
  }
  return [...flows].flatMap(([key, { oldestAt, ...flow }]): InboxItem[] =>
    now - oldestAt < queuedMs ? [] : [{ kind: 'queue', key, ...flow, at: iso(oldestAt) }],
  );
}

const iso = (at: number): string => new Date(at).toISOString();
