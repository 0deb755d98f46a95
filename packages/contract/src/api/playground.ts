import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Execution } from '../execution.ts';

const FlowKey = z.object({ namespace: z.string(), id: z.string() });
const Values = z.record(z.string(), z.unknown());

/** One task of a text that need not be saved, or all tasks up to it. */
export const PlaygroundRequest = z.object({
  source: z.string().min(1),
  taskId: z.string().min(1),
  /** `task`: earlier tasks do not run. `upTo`: earlier tasks without outputs run first. */
  mode: z.enum(['task', 'upTo']).default('task'),
  /** Outputs that earlier tasks end with, by task. */
  pins: z.record(z.string(), Values).optional(),
  /** Earlier tasks that run although an earlier execution has their outputs. */
  again: z.array(z.string()).optional(),
  /** The value of each loop around the task, by loop; a loop that is not named runs its first value. */
  loopValues: z.record(z.string(), z.string()).optional(),
  /** Replace those of the last execution by name. */
  inputs: Values.optional(),
});
export type PlaygroundRequest = z.infer<typeof PlaygroundRequest>;

export const PlaygroundStep = z.object({
  taskId: z.string(),
  /** `leaveOut`: it has no outputs and does not run. */
  action: z.enum(['run', 'reuse', 'pin', 'leaveOut']),
  /** The execution whose outputs are reused, and when the task ended there. */
  executionId: z.string().optional(),
  at: z.iso.datetime().optional(),
  /** The outputs that are reused, with secrets hidden; absent in loops and when they are large. */
  outputs: Values.optional(),
});
export type PlaygroundStep = z.infer<typeof PlaygroundStep>;

export const PlaygroundPlan = z.object({
  /** The task that runs: the chosen one, or the WorkingDirectory around it. */
  taskId: z.string(),
  steps: z.array(PlaygroundStep),
  /** The loops around the task, from the outside in, with the values that they had before. */
  loops: z.array(z.object({ taskId: z.string(), values: z.array(z.string()) })),
});
export type PlaygroundPlan = z.infer<typeof PlaygroundPlan>;

export const planPlayground = endpoint({
  method: 'POST',
  path: '/playground/{namespace}/{id}/plan',
  summary: 'Says which tasks a playground execution would run and which outputs it would reuse',
  params: FlowKey,
  body: PlaygroundRequest,
  reply: PlaygroundPlan,
});

export const startPlayground = endpoint({
  method: 'POST',
  path: '/playground/{namespace}/{id}',
  summary: 'Runs one task of a text, or the tasks up to it, as a playground execution',
  params: FlowKey,
  body: PlaygroundRequest,
  reply: Execution,
});
