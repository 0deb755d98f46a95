import type { ExecutorPort } from '../executor/executorPort.ts';

/** Pauses an execution: no further task starts, and running tasks end normally. */
export async function pauseExecution(
  executionId: string,
  { executor }: { readonly executor: ExecutorPort },
): Promise<void> {
  await executor.request(executionId, { type: 'pause' });
}
