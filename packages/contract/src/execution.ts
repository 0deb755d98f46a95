import { z } from 'zod';
import { Label } from './label.ts';
import { PackedTaskRuns } from './packedTaskRuns.ts';
import { State } from './state.ts';

const Values = z.record(z.string(), z.unknown());

export const TaskRunAttempt = z.object({ state: State, logFile: z.string().optional() });
export type TaskRunAttempt = z.infer<typeof TaskRunAttempt>;

export const TaskRun = z.object({
  tenantId: z.string().optional(),
  id: z.string(),
  executionId: z.string(),
  namespace: z.string(),
  flowId: z.string(),
  taskId: z.string(),
  parentTaskRunId: z.string().optional(),
  value: z.string().optional(),
  attempts: z.array(TaskRunAttempt).optional(),
  outputs: Values.nullable(),
  state: State,
  iteration: z.number().int().optional(),
  dynamic: z.boolean().optional(),
  /** Copied from the execution that this one replays: it did not run here. */
  copied: z.boolean().optional(),
  /** Did not run here: a user set its outputs when the execution was forked. */
  edited: z.boolean().optional(),
});
export type TaskRun = z.infer<typeof TaskRun>;

export const ExecutionTrigger = z.object({
  id: z.string(),
  type: z.string(),
  variables: Values.optional(),
  logFile: z.string().optional(),
});
export type ExecutionTrigger = z.infer<typeof ExecutionTrigger>;

export const Execution = z.object({
  tenantId: z.string().optional(),
  id: z.string(),
  namespace: z.string(),
  flowId: z.string(),
  flowRevision: z.number().int(),
  /** Absent in lists, which hold no task runs. */
  taskRunList: z.array(TaskRun).optional(),
  /** How many task runs there are, when `taskRunList` does not hold all of them. */
  taskRunTotal: z.number().int().optional(),
  /** In place of `taskRunList`, when the caller asked for it. */
  packedTaskRuns: PackedTaskRuns.optional(),
  inputs: Values.optional(),
  outputs: Values.optional(),
  labels: z.array(Label),
  variables: Values.optional(),
  state: State,
  parentId: z.string().optional(),
  originalId: z.string(),
  trigger: ExecutionTrigger.optional(),
  deleted: z.boolean(),
  metadata: z.object({ attemptNumber: z.number().int(), originalCreatedDate: z.string() }),
  scheduleDate: z.string().optional(),
  traceParent: z.string().optional(),
  url: z.string().optional(),
  kind: z.string().optional(),
  /** Where it stops: before a task, or before one value of it in a loop. */
  breakpoints: z.array(z.object({ id: z.string(), value: z.string().optional() })).optional(),
});
export type Execution = z.infer<typeof Execution>;
