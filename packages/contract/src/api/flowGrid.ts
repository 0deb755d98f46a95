import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { State, StateType } from '../state.ts';

/** The maximum number of executions in one grid. */
export const maxGridSize = 100;

export const GridTask = z.object({
  id: z.string(),
  type: z.string(),
  /** 0 for a task of the flow itself. */
  depth: z.number().int(),
  /** The list of tasks that it is in. `removed` tasks ran, but are no longer in the flow. */
  branch: z.enum(['tasks', 'errors', 'finally', 'afterExecution', 'listeners', 'removed']),
});
export type GridTask = z.infer<typeof GridTask>;

/** The runs of one task in one execution. */
export const GridCell = z.object({
  taskId: z.string(),
  /** The state that needs attention first, when there are several runs. */
  state: StateType,
  counts: z.partialRecord(StateType, z.number().int()),
  /** A task run in this state. */
  taskRunId: z.string(),
  startDate: z.string(),
  /** Of the longest run that ended. */
  durationMs: z.number().int().optional(),
  /** Of the run that was tried most often. */
  attempts: z.number().int(),
});
export type GridCell = z.infer<typeof GridCell>;

export const GridExecution = z.object({
  id: z.string(),
  state: State,
  flowRevision: z.number().int(),
  triggerId: z.string().optional(),
  cells: z.array(GridCell),
  /** True when it has more task runs than were counted. */
  isPartial: z.boolean(),
});
export type GridExecution = z.infer<typeof GridExecution>;

export const FlowGrid = z.object({
  tasks: z.array(GridTask),
  /** Newest first. */
  executions: z.array(GridExecution),
  total: z.number().int(),
});
export type FlowGrid = z.infer<typeof FlowGrid>;

export const getFlowGrid = endpoint({
  method: 'GET',
  path: '/flows/{namespace}/{id}/grid',
  summary: 'Reads the states of all tasks in the last executions of a flow',
  params: z.object({ namespace: z.string(), id: z.string() }),
  query: z.looseObject({
    page: z.coerce.number().int().min(1).default(1),
    size: z.coerce
      .number()
      .int()
      .min(1)
      .default(25)
      .transform((size) => Math.min(size, maxGridSize)),
  }),
  reply: FlowGrid,
});

/** The task that an execution is at: the one that started last among those that run, wait or failed. */
export const CurrentTask = z.object({
  executionId: z.string(),
  taskId: z.string(),
  taskRunId: z.string(),
  state: StateType,
  /** How many other tasks are in the same situation. */
  others: z.number().int(),
});
export type CurrentTask = z.infer<typeof CurrentTask>;

export const listCurrentTasks = endpoint({
  method: 'GET',
  path: '/executions/current-tasks',
  summary: 'Lists the task that each of these executions is at',
  query: z.looseObject({
    ids: z.preprocess(
      (value) => (typeof value === 'string' ? value.split(',') : value),
      z.array(z.string()).max(maxGridSize),
    ),
  }),
  reply: z.array(CurrentTask),
});
