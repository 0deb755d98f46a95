import { isTerminal, stateTimes, type TaskRunRecord } from '@millrace/contract';
import type { Op } from '../port/op.ts';
import { encodeText } from './text.ts';
import type { SqlValue } from './value.ts';

/** A duration exists only while the state is final. */
export function encodeTaskRun(taskRun: TaskRunRecord): SqlValue[] {
  const { current } = taskRun.state;
  const { startedAt, durationMs } = stateTimes(taskRun.state, 0);
  return [
    encodeText(taskRun.executionId),
    encodeText(taskRun.id),
    encodeText(taskRun.taskId),
    current,
    startedAt,
    isTerminal(current) ? durationMs : null,
    JSON.stringify(taskRun),
  ];
}

/**
 * Namespace and flow of the executions written in the same unit; a step of the engine always writes all of
 * them.
 */
export function flowsOf(ops: Iterable<Op>): ReadonlyMap<string, readonly [SqlValue, SqlValue]> {
  const flows = new Map<string, readonly [SqlValue, SqlValue]>();
  for (const op of ops) {
    if (op.op !== 'execution.insert' && op.op !== 'execution.update') continue;
    const { id, namespace, flowId } = op.execution;
    flows.set(id, [encodeText(namespace), encodeText(flowId)]);
  }
  return flows;
}
