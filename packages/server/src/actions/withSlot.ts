import type { ExecutionRecord, Flow } from '@millrace/contract';
import type { Admission } from '../executor/admission.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';

/**
 * Makes a change that starts an execution, beyond the flow's concurrency limit if necessary. The execution
 * holds a slot from then on, so that queued executions wait for it; when the change is refused, the slot is
 * released.
 */
export async function reserveSlot<T>(
  { admission, executor }: { readonly admission: Admission; readonly executor: ExecutorPort },
  { flow, execution }: { readonly flow: Flow; readonly execution: Pick<ExecutionRecord, 'id'> },
  change: () => Promise<T>,
): Promise<T> {
  const giveBack = await admission.reserveSlot(flow, execution.id);
  try {
    return await change();
  } catch (error) {
    for (const id of await giveBack()) executor.notify(id, { type: 'start' });
    throw error;
  }
}
