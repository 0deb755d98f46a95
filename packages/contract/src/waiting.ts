import { z } from 'zod';
import { Actor } from './actor.ts';
import { Input } from './flow.ts';
import { StateType } from './state.ts';

/** An execution that another one waits for or behind. */
export const WaitedFor = z.object({
  id: z.string(),
  namespace: z.string(),
  flowId: z.string(),
  state: StateType,
  startDate: z.string(),
});
export type WaitedFor = z.infer<typeof WaitedFor>;

const taskRun = { taskRunId: z.string(), taskId: z.string(), value: z.string().optional() };

/** Why an execution does not continue, and what would let it continue. */
export const Waiting = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('schedule'), until: z.string() }),
  z.object({
    kind: z.literal('queue'),
    limit: z.number().int(),
    /** Executions that hold a concurrency slot of the flow; the list has the oldest ones. */
    running: z.number().int(),
    holders: z.array(WaitedFor),
    /** Executions that came before; the list has the ones that are next. */
    ahead: z.number().int(),
    next: z.array(WaitedFor),
  }),
  /** Without a task run, a user paused the whole execution. */
  z.object({
    kind: z.literal('pause'),
    ...z.object(taskRun).partial().shape,
    by: Actor.optional(),
    /** The description of the task. */
    text: z.string().optional(),
    inputs: z.array(Input),
    until: z.string().optional(),
    /** The effect of that date: the task run resumes, or ends in a state. */
    then: z.enum(['RESUME', 'WARN', 'FAIL', 'CANCEL']).optional(),
  }),
  z.object({
    kind: z.literal('retry'),
    ...z.object(taskRun).partial().shape,
    /** The number of the next attempt, counted from 1. */
    attempt: z.number().int(),
    until: z.string(),
    /** The next attempt is a new execution. */
    newExecution: z.boolean(),
  }),
  z.object({ kind: z.literal('loop'), ...taskRun, until: z.string() }),
  z.object({ kind: z.literal('breakpoint'), ...taskRun }),
  z.object({
    kind: z.literal('worker'),
    /** The task run that waits longest. */
    ...taskRun,
    count: z.number().int(),
    since: z.string(),
    /** Only workers of this group run it; absent when any worker without a group does. */
    workerGroup: z.string().optional(),
    /** No task starts until maintenance ends. */
    isMaintenance: z.boolean().optional(),
    /** Workers that run and could take it. */
    able: z.number().int(),
    /** Workers that could take it, but are drained. */
    drained: z.number().int().optional(),
    workers: z.array(z.object({ id: z.string(), workerGroup: z.string().optional() })),
  }),
]);
export type Waiting = z.infer<typeof Waiting>;
