import { type Store, Unreadable } from '@millrace/store';
import type { ExecutorPort } from '../executor/executorPort.ts';
import type { InternalStorage } from '../files/internalStorage.ts';
import { executionFolder } from '../files/internalStorage.ts';
import type { LogBuffer } from '../logs/logBuffer.ts';
import type { Worker } from '../worker/worker.ts';
import { findExecutionRecord } from './findExecution.ts';

export interface DeleteChoice {
  readonly logs: boolean;
  readonly metrics: boolean;
  readonly storage: boolean;
}

/** Purges an execution in any state: its running tasks are interrupted, and the chosen data is deleted. */
export async function deleteExecution(
  executionId: string,
  choice: DeleteChoice,
  {
    store,
    executor,
    worker,
    files,
    logs,
  }: {
    readonly store: Store;
    readonly executor: ExecutorPort;
    readonly worker: Worker;
    readonly files: InternalStorage;
    readonly logs: LogBuffer;
  },
): Promise<void> {
  const execution = await findExecutionRecord({ store }, executionId).catch((error: unknown) => {
    // An execution that cannot be read can be deleted too.
    if (error instanceof Unreadable) return error.execution;
    throw error;
  });
  executor.evict(executionId);
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
