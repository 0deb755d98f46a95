import type { ExecutionRecord } from '@millrace/contract';
import { Conflict, type Store } from '@millrace/store';

/**
 * Starts an execution once per idempotency key: later requests with the same key, even concurrent ones or
 * after a crash, return the first execution. Without a key it always starts.
 */
export async function startOnce<None extends undefined>(
  uniqueKey: string | undefined,
  { store }: { readonly store: Store },
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
