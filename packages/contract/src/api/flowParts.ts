import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Flow, FlowValidation, Task } from '../flow.ts';
import { flag, Paging, pagedOf } from '../paging.ts';
import { FlowTopology } from '../topology.ts';

const FlowKey = z.object({ namespace: z.string(), id: z.string() });

/** Matches in the fragments are between `[mark]` and `[/mark]`. */
export const searchFlowSources = endpoint({
  method: 'GET',
  path: '/flows/source',
  summary: 'Searches the sources of flows',
  query: z.looseObject({ ...Paging.shape, q: z.string().optional(), namespace: z.string().optional() }),
  reply: pagedOf(z.object({ model: Flow, fragments: z.array(z.string()) })),
});

export const getFlowTask = endpoint({
  method: 'GET',
  path: '/flows/{namespace}/{id}/tasks/{taskId}',
  summary: 'Reads one task of a flow, wherever it is nested',
  params: FlowKey.extend({ taskId: z.string() }),
  query: z.looseObject({ revision: z.coerce.number().int().optional() }),
  reply: Task,
});

/** Comments of the source are lost. */
export const updateFlowTask = endpoint({
  method: 'PATCH',
  path: '/flows/{namespace}/{id}/{taskId}',
  summary: 'Replaces one task of a flow',
  params: FlowKey.extend({ taskId: z.string() }),
  body: Task,
  reply: Flow,
});

export const getFlowDependencies = endpoint({
  method: 'GET',
  path: '/flows/{namespace}/{id}/dependencies',
  summary: 'Shows which flows start this one and which it starts',
  params: FlowKey,
  query: z.looseObject({ destinationOnly: flag(false), expandAll: flag(false) }),
  reply: FlowTopology,
});

/** The text is YAML or JSON. */
export const validateTask = endpoint({
  method: 'POST',
  path: '/flows/validate/task',
  summary: 'Validates one task or trigger',
  query: z.looseObject({ section: z.enum(['TASKS', 'TRIGGERS']).optional() }),
  body: z.string(),
  bodyKind: 'yaml',
  reply: FlowValidation,
});

export const validateTrigger = endpoint({
  method: 'POST',
  path: '/flows/validate/trigger',
  summary: 'Validates one trigger',
  body: z.string(),
  bodyKind: 'yaml',
  reply: FlowValidation,
});
