import type { ExecutionRecord, Flow } from '@millrace/contract';
import type { Product } from '../product.ts';

/**
 * Makes a change that puts an execution to work, beyond the flow's concurrency limit when need be. It holds a place
 * from then on, so that those who wait for one know; when the change is refused the place goes to the next.
 */
export async function holdPlace<T>(
  { admission, executor }: Pick<Product, 'admission' | 'executor'>,
  { flow, execution }: { readonly flow: Flow; readonly execution: Pick<ExecutionRecord, 'id'> },
  change: () => Promise<T>,
): Promise<T> {
  const giveBack = await admission.holdPlace(flow, execution.id);
  try {
    return await change();
  } catch (error) {
    for (const id of await giveBack()) executor.tell(id, { type: 'start' });
    throw error;
  }
}
