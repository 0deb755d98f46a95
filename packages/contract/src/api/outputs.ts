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

export const getTaskRunOutputs = endpoint({
  method: 'GET',
  path: '/outputs/{executionId}/{taskRunId}',
  summary: 'Reads the outputs of one task run',
  params: z.object({ executionId: z.string(), taskRunId: z.string() }),
  reply: Outputs,
});
