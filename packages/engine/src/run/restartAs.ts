import {
  AppError,
  type ExecutionRecord,
  type Flow,
  isTerminal,
  type TaskRunRecord,
} from '@millrace/contract';
import type { Replayed } from './replay.ts';
import { reopenFailed } from './restart.ts';
import type { RunEnvironment } from './run.ts';
import { takeOver } from './takeOver.ts';

/**
 * Restarts an execution on another revision of its flow: a new execution with copies of every run that
 * succeeded. The source does not change. Continue with the result as after a restart of the process
 * (`recover`).
 */
export function restartAs(
  flow: Flow,
  source: { readonly execution: ExecutionRecord; readonly taskRuns: readonly TaskRunRecord[] },
  wanted: { readonly id: string; readonly now: number },
  environment: RunEnvironment,
): Replayed {
  const { current } = source.execution.state;
  if (!isTerminal(current) && current !== 'PAUSED')
    throw new AppError(
      'illegal-state',
      `The execution is ${current}: only one that has ended or is paused can be restarted.`,
    );
  const { memo: _, scheduledAt: __, ...kept } = source.execution;
  const execution = { ...kept, id: wanted.id, flowRevision: flow.revision, parentId: source.execution.id };
  const { run } = takeOver(flow, source, execution, wanted.now, environment);
  reopenFailed(run);
  return { execution: run.execution, taskRuns: [...run.nodes.values()].map((node) => node.record) };
}
