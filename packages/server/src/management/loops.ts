import type { Store } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { Worker } from '../worker/worker.ts';
import { json, type Page } from './page.ts';

/** The tasks that this process runs now, without their properties because those may hold secrets. */
export function readWorker({ worker }: { readonly worker: Worker }): Page {
  const runnings = worker.running().map(({ executionId, taskRunId, attempt, task }) => ({
    type: 'task',
    taskRun: { id: taskRunId, executionId, taskId: task.id, attempt },
    task: { id: task.id, type: task.type },
  }));
  return json(200, { runningCount: runnings.length, waitingCount: worker.waitingCount, runnings });
}

const maxTriggers = 1_000;

/** The triggers with a next date, the next ones first, and the revision of the flow that each belongs to now. */
export async function readScheduler({
  store,
  flows,
}: {
  readonly store: Store;
  readonly flows: FlowCache;
}): Promise<Page> {
  const { results } = await store.listTriggers({
    filters: [],
    page: 1,
    size: maxTriggers,
    sort: [{ field: 'nextExecutionDate', descending: false }],
  });
  const schedulable = [];
  for (const { namespace, flowId, triggerId, type, nextAt, disabled } of results) {
    if (disabled || nextAt === undefined) continue;
    const revision = (await flows.find(namespace, flowId))?.flow.revision;
    const next = new Date(nextAt).toISOString();
    schedulable.push({ namespace, flowId, revision, trigger: { id: triggerId, type }, next });
  }
  return json(200, { schedulableCount: schedulable.length, schedulable });
}
