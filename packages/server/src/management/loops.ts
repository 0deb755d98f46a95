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

/** The triggers with a next date, the next ones first. */
export async function readScheduler({ store }: Pick<Product, 'store'>): Promise<Page> {
  const { results } = await store.listTriggers({
    filters: [],
    page: 1,
    size: maxTriggers,
    sort: [{ field: 'nextExecutionDate', descending: false }],
  });
  const schedulable = results.flatMap(({ namespace, flowId, triggerId, type, nextAt, disabled }) =>
    disabled || nextAt === undefined
      ? []
      : [{ namespace, flowId, trigger: { id: triggerId, type }, next: new Date(nextAt).toISOString() }],
  );
  return json(200, { schedulableCount: schedulable.length, schedulable });
}
