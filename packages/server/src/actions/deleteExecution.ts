import { Unreadable } from '@millrace/store';
import { executionFolder } from '../files/internalStorage.ts';
import type { Product } from '../product.ts';
import { findExecutionRecord } from './findExecution.ts';

export interface DeleteChoice {
  readonly logs: boolean;
  readonly metrics: boolean;
  readonly storage: boolean;
}

/** Purges an execution in any state: what runs for it is interrupted, and what is chosen goes with it. */
export async function deleteExecution(
  executionId: string,
  choice: DeleteChoice,
  { store, executor, worker, files, logs }: Pick<Product, 'store' | 'executor' | 'worker' | 'files' | 'logs'>,
): Promise<void> {
  const execution = await findExecutionRecord({ store }, executionId).catch((error: unknown) => {
    // What is left of one that cannot be read can go as well.
    if (error instanceof Unreadable) return error.execution;
    throw error;
  });
  executor.forget(executionId);
  worker.interruptExecution(executionId);
  logs.drop(executionId);
  await store.commit([
    { op: 'execution.delete', id: executionId, logs: choice.logs, metrics: choice.metrics },
  ]);
  if (choice.storage) {
    await files.deleteBelow(executionFolder({ ...execution, executionId }));
  }
  executor.deleted(execution);
}
