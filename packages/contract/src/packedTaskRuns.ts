import { z } from 'zod';
import { Actor } from './actor.ts';
import { StateType } from './state.ts';

const Steps = z.array(z.object({ state: StateType, by: Actor.optional() }));

/** The properties that many task runs share: iterations of a loop differ only in id, value, times and outputs. */
export const TaskRunShape = z.object({
  taskId: z.string(),
  /** Only when the parent is not in the list. */
  parentId: z.string().optional(),
  steps: Steps,
  attempts: z.array(z.object({ steps: Steps, logFile: z.string().optional() })),
  dynamic: z.boolean().optional(),
  copied: z.boolean().optional(),
  edited: z.boolean().optional(),
});
export type TaskRunShape = z.infer<typeof TaskRunShape>;

/**
 * The task runs of an execution by column, about a tenth of the size of a list of task runs. Each column but `times` has
 * one entry per task run.
 */
export const PackedTaskRuns = z.object({
  /** The time of the view, up to which running task runs are counted. */
  at: z.number().int(),
  shapes: z.array(TaskRunShape),
  /** Positions in `shapes`. */
  shape: z.array(z.number().int()),
  id: z.array(z.string()),
  /** The position of the parent in the list, or -1. */
  parent: z.array(z.number().int()),
  value: z.array(z.string().nullable()),
  iteration: z.array(z.number().int().nullable()),
  outputs: z.array(z.record(z.string(), z.unknown()).nullable()),
  /** The date of each step of each task run and of its attempts: milliseconds after the one before it, the first since 1970. */
  times: z.array(z.number()),
});
export type PackedTaskRuns = z.infer<typeof PackedTaskRuns>;
