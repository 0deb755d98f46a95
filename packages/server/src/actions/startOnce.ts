import type { ExecutionRecord } from '@millrace/contract';
import { Conflict } from '@millrace/store';
import type { Product } from '../product.ts';

/**
 * Starts an execution under its key, once: whoever comes with the same key again, also at the same moment or after a
 * crash, is answered with the execution of the first. Without a key it always starts.
 */
export async function startOnce<None extends undefined>(
  uniqueKey: string | undefined,
  { store }: Pick<Product, 'store'>,
  start: () => Promise<ExecutionRecord | None>,
): Promise<ExecutionRecord | None> {
  if (uniqueKey === undefined) return start();
  const findEarlier = async () => {
    const id = await store.findExecutionByKey(uniqueKey);
    return id === undefined ? undefined : store.getExecutionRecord(id);
  };
  const earlier = await findEarlier();
  if (earlier) return earlier;
  try {
    return await start();
  } catch (error) {
    const other = error instanceof Conflict ? await findEarlier() : undefined;
    if (!other) throw error;
    return other;
  }
}
