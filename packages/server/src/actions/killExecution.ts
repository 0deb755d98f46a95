import { AppError, isTerminal } from '@millrace/contract';
import type { Store } from '@millrace/store';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { findExecutionRecord } from './findExecution.ts';

/** Asks an execution to stop, and with `cascade` its children too, even when it has ended itself. */
export async function killExecution(
  executionId: string,
  cascade: boolean,
  { store, executor }: { readonly store: Store; readonly executor: ExecutorPort },
): Promise<void> {
  const execution = await findExecutionRecord({ store }, executionId);
  if (isTerminal(execution.state.current) && !cascade) {
    throw new AppError('illegal-state', `the execution "${executionId}" has already finished`);
  }
  await executor.request(executionId, { type: 'kill', cascade });
}
