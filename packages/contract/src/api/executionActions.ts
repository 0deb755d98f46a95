import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Execution } from '../execution.ts';
import { LabelsToSet } from '../label.ts';
import { flag } from '../paging.ts';
import { StateType, UnqueueState } from '../state.ts';
import { Breakpoints, InputChecks } from './executions.ts';

const ById = z.object({ executionId: z.string() });
const revision = z.coerce.number().int().optional();
/** The task runs of the reply come by column: a copy of thousands of them is many megabytes as a list. */
const packed = flag(false);

export const restartExecution = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/restart',
  summary: 'Runs the failed tasks again; on another revision as a new execution',
  params: ById,
  query: z.looseObject({ revision, packed }),
  reply: Execution,
});

export const replayExecution = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/replay',
  summary: 'Does an execution again as a new one, from the beginning or from a task run on',
  params: ById,
  query: z.looseObject({ taskRunId: z.string().optional(), revision, packed }),
  reply: Execution,
});

export const replayWithInputs = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/replay-with-inputs',
  summary: 'Does an execution again with other inputs',
  params: ById,
  query: z.looseObject({ taskRunId: z.string().optional(), revision, packed }),
  bodyKind: 'multipart',
  reply: Execution,
});

/**
 * `outputs` end the task run instead of running it again. `inputs` replace those of the source by name. A
 * `source` is stored as a draft that only the fork runs.
 */
export const ForkRequest = z.object({
  outputs: z.record(z.string(), z.unknown()).optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  source: z.string().optional(),
  revision: z.number().int().optional(),
});
export type ForkRequest = z.infer<typeof ForkRequest>;

export const forkExecution = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/taskruns/{taskRunId}/fork',
  summary: 'Continues an execution from a task run on as a new one, with other outputs, inputs or flow text',
  params: z.object({ executionId: z.string(), taskRunId: z.string() }),
  query: z.looseObject({ packed }),
  body: ForkRequest,
  reply: Execution,
});

export const changeStatus = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/change-status',
  summary: 'Changes the state of an execution that has ended; nothing runs',
  params: ById,
  query: z.looseObject({ status: StateType.optional() }),
  reply: Execution,
});

export const changeTaskRunState = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/state',
  summary: 'Marks a task run; the execution continues from there',
  params: ById,
  body: z.object({ taskRunId: z.string(), state: StateType }),
  reply: Execution,
});

export const pauseExecution = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/pause',
  summary: 'Starts no further task; what runs ends normally',
  params: ById,
  status: 200,
});

/** Multipart, one field per input of the pause. */
export const resumeExecution = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/resume',
  summary: 'Resumes a paused execution',
  params: ById,
  bodyKind: 'multipart',
});

export const validateResume = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/resume/validate',
  summary: 'Checks the inputs of a resume without resuming',
  params: ById,
  bodyKind: 'multipart',
  reply: InputChecks,
});

export const resumeFromBreakpoint = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/resume-from-breakpoint',
  summary: 'Resumes an execution that stopped at a breakpoint',
  params: ById,
  query: z.looseObject({ breakpoints: Breakpoints }),
});

export const unqueueExecution = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/unqueue',
  summary:
    'Takes an execution out of the queue: it runs beyond the concurrency limit, or ends without a start',
  params: ById,
  query: z.looseObject({ state: UnqueueState.default('RUNNING') }),
  reply: Execution,
});

export const forceRun = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/force-run',
  summary: 'Gets an execution that has not ended going, whatever it waits for',
  params: ById,
  reply: Execution,
});

export const setLabels = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/labels',
  summary: 'Replaces the labels of an execution that has ended; those of the system stay',
  params: ById,
  body: LabelsToSet,
  reply: Execution,
  plainTextStatus: 400,
});

export const EvalResult = z.object({
  result: z.string().optional(),
  /** Only when asked for: the kind of the value, and the value itself, with secrets masked. */
  type: z.enum(['STRING', 'NUMBER', 'BOOLEAN', 'LIST', 'MAP', 'NULL']).optional(),
  value: z.unknown().optional(),
  error: z.string().optional(),
  stackTrace: z.string().optional(),
});
export type EvalResult = z.infer<typeof EvalResult>;

/** With `typed`, a single expression keeps its type: a number, a list or a map instead of its text. */
const EvalOptions = z.looseObject({ typed: flag(false) });

export const evaluateExpression = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/eval',
  summary: 'Renders an expression with what the execution knows',
  params: ById,
  query: EvalOptions,
  bodyKind: 'text',
  reply: EvalResult,
});

export const evaluateInTaskRun = endpoint({
  method: 'POST',
  path: '/executions/{executionId}/eval/{taskRunId}',
  summary: 'Renders an expression with what a task run knows',
  params: z.object({ executionId: z.string(), taskRunId: z.string() }),
  query: EvalOptions,
  bodyKind: 'text',
  reply: EvalResult,
});

/** Texts that cannot be rendered stay as they are written, and `problems` has the reason. */
export const RenderedProperties = z.object({
  type: z.string(),
  properties: z.record(z.string(), z.unknown()),
  problems: z.array(z.object({ property: z.string(), message: z.string() })),
});
export type RenderedProperties = z.infer<typeof RenderedProperties>;

export const renderProperties = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/taskruns/{taskRunId}/properties',
  summary: 'Renders the properties of a task with what a task run knows now',
  params: z.object({ executionId: z.string(), taskRunId: z.string() }),
  reply: RenderedProperties,
});
