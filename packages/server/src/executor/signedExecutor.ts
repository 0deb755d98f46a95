import type { Actor, ExecutionRecord } from '@millrace/contract';
import type { ExecutorPort } from './executorPort.ts';

/** Requests that start an execution, or start one again. */
const starting: ReadonlySet<string> = new Set(['restart', 'unqueue', 'forceRun']);

interface Signature {
  readonly by: Actor;
  /** Throws while users may start nothing. */
  readonly refuseStart?: () => void;
  /** The key of the item that a job works on: it names the new execution and the request. */
  readonly itemKey?: () => string | undefined;
}

/** The executor as one user uses it: requests and new executions are recorded with the user. */
export function signedExecutor(
  executor: ExecutorPort,
  { by, refuseStart = () => {}, itemKey = () => undefined }: Signature,
): ExecutorPort {
  return {
    create: async (flow, execution, uniqueKey, alongside) => {
      refuseStart();
      await executor.create(flow, signed(execution, by), uniqueKey ?? itemKey(), alongside);
    },
    start: async (flow, execution, uniqueKey, alongside) => {
      refuseStart();
      await executor.start(flow, signed(execution, by), uniqueKey ?? itemKey(), alongside);
    },
    adopt: async (flow, { execution, taskRuns }) => {
      refuseStart();
      await executor.adopt(flow, { execution: signed(execution, by), taskRuns });
    },
    request: async (executionId, event) => {
      if (starting.has(event.type)) refuseStart();
      const requestKey = itemKey();
      return executor.request(executionId, { ...event, by, ...(requestKey && { requestKey }) });
    },
    notify: (executionId, event) => executor.notify(executionId, event),
    deliver: (executionId, command) => executor.deliver(executionId, command),
    recover: (flow, stored, problem, isElsewhere) => executor.recover(flow, stored, problem, isElsewhere),
    evict: (executionId) => executor.evict(executionId),
    deleted: (execution) => executor.deleted(execution),
    whenEnded: (executionId) => executor.whenEnded(executionId),
    holds: (executionId) => executor.holds(executionId),
  };
}

/** The first entry of the history is the creation. */
function signed(execution: ExecutionRecord, by: Actor): ExecutionRecord {
  const { state } = execution;
  const histories = state.histories.map((entry, index) => (index === 0 ? { ...entry, by } : entry));
  return { ...execution, state: { ...state, histories } };
}
