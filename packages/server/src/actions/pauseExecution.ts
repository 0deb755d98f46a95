import type { Product } from '../product.ts';

/** Starts no further task of an execution; what runs ends normally. */
export async function pauseExecution(
  executionId: string,
  { executor }: Pick<Product, 'executor'>,
): Promise<void> {
  await executor.request(executionId, { type: 'pause' });
}
