import type { Product } from '../product.ts';
import { json, type Page } from './page.ts';

/** What this process runs right now. Tasks are named, not shown: their properties may hold what nobody may see. */
export function readWorker({ worker }: Pick<Product, 'worker'>): Page {
  const runnings = worker.running().map(({ executionId, taskRunId, attempt, task }) => ({
    type: 'task',
    taskRun: { id: taskRunId, executionId, taskId: task.id, attempt },
    task: { id: task.id, type: task.type },
  }));
  return json(200, { runningCount: runnings.length, waitingCount: worker.waitingCount, runnings });
}

const maxTriggers = 1_000;

/** The triggers with a next date, the next ones first, and the revision of the flow that each belongs to now. */
export async function readScheduler({ store, flows }: Pick<Product, 'store' | 'flows'>): Promise<Page> {
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
