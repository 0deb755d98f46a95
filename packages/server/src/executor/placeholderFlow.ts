import { type ExecutionRecord, type Flow, isTerminal } from '@millrace/contract';

/** A deleted execution as its parent and the queue see it: killed. */
export function killed(execution: ExecutionRecord, now: number): ExecutionRecord {
  const { state } = execution;
  if (isTerminal(state.current)) return execution;
  const histories = [...state.histories, { state: 'KILLED' as const, date: now }];
  return { ...execution, state: { current: 'KILLED', histories } };
}

/** Stands in for a deleted revision: enough for the engine to show the execution and to end it. */
export function missingFlow({
  tenantId,
  namespace,
  flowId,
  flowRevision,
}: Pick<ExecutionRecord, 'tenantId' | 'namespace' | 'flowId' | 'flowRevision'>): Flow {
  return {
    tenantId,
    namespace,
    id: flowId,
    revision: flowRevision,
    tasks: [],
    disabled: false,
    deleted: true,
  };
}
