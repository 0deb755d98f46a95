import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const Outputs = z.record(z.string(), z.unknown());

export const getOutputs = endpoint({
  method: 'GET',
  path: '/outputs/{executionId}',
  summary: 'Reads the outputs of all tasks of an execution, as expressions see them',
  params: z.object({ executionId: z.string() }),
  reply: Outputs,
});

export const FoundOutput = z.object({
  taskRunId: z.string(),
  taskId: z.string(),
  /** The loop value of the task run. */
  value: z.string().optional(),
  /** The path to the value: `rows[0].city`. */
  path: z.string(),
  text: z.string(),
});
export type FoundOutput = z.infer<typeof FoundOutput>;

/** The first 200 values in the order of their task runs; `total` counts all. */
export const searchOutputs = endpoint({
  method: 'GET',
  path: '/outputs/{executionId}/search',
  summary: 'Finds values in the outputs of all task runs of an execution, by name or text',
  params: z.object({ executionId: z.string() }),
  query: z.looseObject({ q: z.string().max(1_000).optional() }),
  reply: z.object({ results: z.array(FoundOutput), total: z.number().int() }),
});

export const getTaskRunOutputs = endpoint({
  method: 'GET',
  path: '/outputs/{executionId}/{taskRunId}',
  summary: 'Reads the outputs of one task run',
  params: z.object({ executionId: z.string(), taskRunId: z.string() }),
  reply: Outputs,
});
