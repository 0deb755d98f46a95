import type { Actor, ExecutionRecord } from '@millrace/contract';
import type { ExecutorPort } from './executorPort.ts';

/** The executor as one user uses it: requests and new executions are recorded with the user. */
export function signedExecutor(executor: ExecutorPort, by: Actor): ExecutorPort {
  return {
    create: (flow, execution, uniqueKey, alongside) =>
      executor.create(flow, signed(execution, by), uniqueKey, alongside),
    start: (flow, execution, uniqueKey, alongside) =>
      executor.start(flow, signed(execution, by), uniqueKey, alongside),
    adopt: (flow, { execution, taskRuns }) =>
      executor.adopt(flow, { execution: signed(execution, by), taskRuns }),
    request: (executionId, event) => executor.request(executionId, { ...event, by }),
    notify: (executionId, event) => executor.notify(executionId, event),
    deliver: (executionId, command) => executor.deliver(executionId, command),
    recover: (flow, stored, problem, isElsewhere) => executor.recover(flow, stored, problem, isElsewhere),
    forget: (executionId) => executor.forget(executionId),
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
