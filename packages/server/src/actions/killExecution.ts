import { AppError, isTerminal } from '@millrace/contract';
import type { Product } from '../product.ts';

/** Asks an execution to stop, and with `cascade` its children too, even when it has ended itself. */
export async function killExecution(
  executionId: string,
  cascade: boolean,
  { store, executor }: Pick<Product, 'store' | 'executor'>,
): Promise<void> {
  const stored = await store.getExecution(executionId);
  if (!stored) throw new AppError('not-found', `there is no execution "${executionId}"`);
  if (isTerminal(stored.execution.state.current) && !cascade) {
    throw new AppError('illegal-state', `the execution "${executionId}" has already finished`);
  }
  await executor.request(executionId, { type: 'kill', cascade });
}
