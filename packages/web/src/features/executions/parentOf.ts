import type { Execution } from '@millrace/contract';
import type { ExecutionReference } from './components/CrossLink.tsx';

/** The execution that started this one, as a subflow or by its end: what the trigger tells of it. */
export function parentOf({ trigger }: Execution): ExecutionReference | undefined {
  const { executionId, namespace, flowId } = trigger?.variables ?? {};
  return typeof executionId === 'string' && typeof namespace === 'string' && typeof flowId === 'string'
    ? { id: executionId, namespace, flowId }
    : undefined;
}
