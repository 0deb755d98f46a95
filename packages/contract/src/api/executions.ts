import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Execution } from '../execution.ts';
import { FlowCheck, FlowForExecution, Input } from '../flow.ts';
import { FlowGraph } from '../graph.ts';
import { flag, listOf, Paging, pagedOf } from '../paging.ts';
import { StateType } from '../state.ts';

const ById = z.object({ executionId: z.string() });
const repeated = z.preprocess(
  (v) => (v === undefined || Array.isArray(v) ? v : [v]),
  z.array(z.string()).optional(),
);

export const ExecutionFilters = z.looseObject({
  q: z.string().optional(),
  namespace: z.string().optional(),
  flowId: z.string().optional(),
  scope: listOf(z.enum(['USER', 'SYSTEM'])),
  state: listOf(StateType),
  labels: repeated,
  startDate: z.string().optional(),
  endDate: z.string().optional(),
  timeRange: z.string().optional(),
  triggerExecutionId: z.string().optional(),
  childFilter: z.enum(['CHILD', 'MAIN']).optional(),
  /** `PLAYGROUND`: only executions of the playground; `NORMAL`: all others. */
  kind: z.enum(['NORMAL', 'PLAYGROUND']).optional(),
});

/** `taskId` or `taskId.value`, separated by commas: where an execution stops until a user resumes it. */
export const Breakpoints = listOf(z.string().regex(/^[^.]+(\..+)?$/));

export const searchExecutions = endpoint({
  method: 'GET',
  path: '/executions/search',
  summary: 'Lists executions',
  query: z.looseObject({ ...Paging.shape, ...ExecutionFilters.shape }),
  reply: pagedOf(Execution),
});

export const getExecution = endpoint({
  method: 'GET',
  path: '/executions/{executionId}',
  summary: 'Reads an execution with its task runs',
  params: ById,
  /** With `packed` the task runs come by column, which is much smaller. */
  query: z.looseObject({ packed: flag(false) }),
  reply: Execution,
});

export const getExecutionFlow = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/flow',
  summary: 'Reads the shape of the flow revision that an execution ran',
  params: ById,
  reply: FlowForExecution,
});

export const getExecutionGraph = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/graph',
  summary: 'Draws the topology of an execution with its task runs',
  params: ById,
  /**
   * With `fold` the tasks of a loop are drawn once, and not once per value. Without `runs` the nodes hold no task
   * runs, which may be very many.
   */
  query: z.looseObject({ subflows: listOf(z.string()), fold: flag(false), runs: flag(true) }),
  reply: FlowGraph,
});

export const followExecution = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/follow',
  summary: 'Streams every state change of an execution and its task runs, since its creation, until it ends',
  params: ById,
  /** Without `history` the stream begins with the current state. With `packed` the task runs come by column. */
  query: z.looseObject({ history: flag(true), packed: flag(false) }),
  replyKind: 'stream',
});

/** Frames hold `{executionId, tenantId, namespace, flowId, state}`. */
export const followDependencies = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/follow-dependencies',
  summary: 'Streams the states of all executions that one leads to or comes from, until all have ended',
  params: ById,
  query: z.looseObject({ destinationOnly: flag(false), expandAll: flag(false) }),
  replyKind: 'stream',
});

/** Multipart, one field per input; an absent body is an execution without inputs. */
export const triggerExecution = endpoint({
  method: 'POST',
  path: '/executions/{namespace}/{id}',
  summary: 'Starts an execution of a flow',
  params: z.object({ namespace: z.string(), id: z.string() }),
  query: z.looseObject({
    labels: repeated,
    wait: flag(false),
    revision: z.coerce.number().int().optional(),
    scheduleDate: z.string().optional(),
    kind: z.enum(['NORMAL', 'TEST', 'PLAYGROUND']).optional(),
    breakpoints: Breakpoints,
  }),
  bodyKind: 'multipart',
  reply: Execution,
});

/** For flows whose id is also the name of an action, and for older clients. */
export const triggerExecutionByAlias = endpoint({
  ...triggerExecution,
  path: '/executions/trigger/{namespace}/{id}',
});

export const InputCheck = z.object({
  input: Input,
  value: z.unknown().optional(),
  enabled: z.boolean(),
  /** True when the value is the input's default. */
  isDefault: z.boolean().optional(),
  errors: z.array(z.object({ message: z.string() })),
});

/** The state of a form's fields: which are shown, their values and their errors. */
export const InputChecks = z.object({
  id: z.string(),
  namespace: z.string(),
  inputs: z.array(InputCheck),
  /** The checks of the flow that these inputs do not pass; evaluated once the inputs have no errors. */
  checks: z.array(FlowCheck.omit({ condition: true })).optional(),
});

export const validateInputs = endpoint({
  method: 'POST',
  path: '/executions/{namespace}/{id}/validate',
  summary: 'Checks inputs without starting an execution',
  params: z.object({ namespace: z.string(), id: z.string() }),
  query: z.looseObject({ labels: repeated, revision: z.coerce.number().int().optional() }),
  bodyKind: 'multipart',
  reply: InputChecks,
});

/** For flows whose id is also the name of an action. */
export const validateInputsByAlias = endpoint({
  ...validateInputs,
  path: '/executions/trigger/{namespace}/{id}/validate',
});

export const killExecution = endpoint({
  method: 'DELETE',
  path: '/executions/{executionId}/kill',
  summary: 'Asks an execution, and by default its children, to stop',
  params: ById,
  query: z.looseObject({ isOnKillCascade: flag(true) }),
  status: 202,
});

export const deleteExecution = endpoint({
  method: 'DELETE',
  path: '/executions/{executionId}',
  summary: 'Purges an execution with its logs, metrics and files',
  params: ById,
  query: z.looseObject({ deleteLogs: flag(true), deleteMetrics: flag(true), deleteStorage: flag(true) }),
});

const webhook = {
  path: '/executions/webhook/{namespace}/{id}/{key}',
  params: z.object({ namespace: z.string(), id: z.string(), key: z.string() }),
  bodyKind: 'text',
  access: 'key',
  // A webhook can return the outputs of the flow instead, with its own status and content type.
  reply: z.union([Execution, z.record(z.string(), z.unknown())]),
} as const;

export const webhookByGet = endpoint({
  ...webhook,
  method: 'GET',
  summary: 'Starts an execution by webhook',
});
export const webhookByPost = endpoint({
  ...webhook,
  method: 'POST',
  summary: 'Starts an execution by webhook',
});
export const webhookByPut = endpoint({
  ...webhook,
  method: 'PUT',
  summary: 'Starts an execution by webhook',
});
