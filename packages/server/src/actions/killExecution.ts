import { AppError, isTerminal } from '@millrace/contract';
import type { Product } from '../product.ts';
import { findExecutionRecord } from './findExecution.ts';

/** Asks an execution to stop, and with `cascade` its children too, even when it has ended itself. */
export async function killExecution(
  executionId: string,
  cascade: boolean,
  { store, executor }: Pick<Product, 'store' | 'executor'>,
): Promise<void> {
  const execution = await findExecutionRecord({ store }, executionId);
  if (isTerminal(execution.state.current) && !cascade) {
    throw new AppError('illegal-state', `the execution "${executionId}" has already finished`);
  }
  await executor.request(executionId, { type: 'kill', cascade });
}
