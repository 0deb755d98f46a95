import type { ExecutionRecord, Flow, TaskRunRecord } from '@millrace/contract';
import { apply } from './apply.ts';
import { forgetUnknown, load } from './load.ts';
import type { Replayed } from './replay.ts';
import { Run, type RunEnvironment } from './run.ts';

/**
 * The restart of an execution on another revision of its flow: a new execution that has taken over everything that had
 * ended well. The source stays as it is. Carry on with the answer as after a restart of the process (`recover`).
 */
export function restartAs(
  flow: Flow,
  source: { readonly execution: ExecutionRecord; readonly taskRuns: readonly TaskRunRecord[] },
  wanted: { readonly id: string; readonly now: number },
  environment: RunEnvironment,
): Replayed {
  const { memo: _, scheduledAt: __, ...kept } = source.execution;
  const execution = {
    ...kept,
    id: wanted.id,
    flowRevision: flow.revision,
    parentId: source.execution.id,
  };
  const ids = new Map(source.taskRuns.map(({ id }) => [id, environment.newId()]));
  const taskRuns = source.taskRuns.map((taskRun) => copyOf(taskRun, wanted.id, ids));
  const run = new Run(flow, execution, environment);
  load(run, taskRuns);
  forgetUnknown(run);
  apply(run, { type: 'restart' }, wanted.now);
  return { execution: run.execution, taskRuns: [...run.nodes.values()].map((node) => node.record) };
}

function copyOf(taskRun: TaskRunRecord, executionId: string, ids: ReadonlyMap<string, string>) {
  const { parentId, memo, ...record } = taskRun;
  // Child executions belong to the source: what failed calls new ones instead of going on with those.
  const { children: _, restarted: __, ...remembered } = memo ?? {};
  return {
    ...record,
    id: ids.get(record.id)!,
    executionId,
    ...(parentId === undefined ? {} : { parentId: ids.get(parentId)! }),
    ...(memo === undefined ? {} : { memo: remembered }),
  };
}
