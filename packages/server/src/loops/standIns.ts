import { type ExecutionRecord, type Flow, isTerminal } from '@millrace/contract';

/** What the parent and the queue are told of an execution that was deleted before its end. */
export function killed(execution: ExecutionRecord, now: number): ExecutionRecord {
  const { state } = execution;
  if (isTerminal(state.current)) return execution;
  const histories = [...state.histories, { state: 'KILLED' as const, date: now }];
  return { ...execution, state: { current: 'KILLED', histories } };
}

/** A flow whose revision is gone: enough for the engine to show the execution and to end it. */
export function missingFlow({ tenantId, namespace, flowId, flowRevision }: ExecutionRecord): Flow {
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
