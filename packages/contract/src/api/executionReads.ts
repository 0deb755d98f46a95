import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Execution } from '../execution.ts';
import { EventKind, ExecutionEvent } from '../executionEvent.ts';
import { FlowForExecution } from '../flow.ts';
import { listOf, Paging, pagedOf } from '../paging.ts';
import { Waiting } from '../waiting.ts';

export const listFlowExecutions = endpoint({
  method: 'GET',
  path: '/executions',
  summary: 'Lists the executions of one flow',
  query: z.looseObject({
    ...Paging.shape,
    namespace: z.string().optional(),
    flowId: z.string().optional(),
  }),
  reply: pagedOf(Execution),
});

export const maxEventsPage = 1_000;

export const listExecutionEvents = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/events',
  summary: 'Lists what happened to an execution, when, why and who asked for it, oldest first',
  params: z.object({ executionId: z.string() }),
  query: z.looseObject({
    /** `next` of the last page, or the id of the last event that the caller has. */
    after: z.string().optional(),
    size: z.coerce
      .number()
      .int()
      .min(1)
      .default(100)
      .transform((size) => Math.min(size, maxEventsPage)),
    taskRunId: z.string().optional(),
    kind: listOf(EventKind),
  }),
  reply: z.object({ results: z.array(ExecutionEvent), next: z.string().optional() }),
});

export const explainWaiting = endpoint({
  method: 'GET',
  path: '/executions/{executionId}/waiting',
  summary: 'Explains why an execution does not continue; empty when it runs or has ended',
  params: z.object({ executionId: z.string() }),
  reply: z.array(Waiting),
});

export const getFlowToExecute = endpoint({
  method: 'GET',
  path: '/executions/flows/{namespace}/{flowId}',
  summary: 'Reads the shape of a flow that is to be executed',
  params: z.object({ namespace: z.string(), flowId: z.string() }),
  query: z.looseObject({ revision: z.coerce.number().int().optional() }),
  reply: FlowForExecution,
});

export const listExecutableNamespaces = endpoint({
  method: 'GET',
  path: '/executions/namespaces',
  summary: 'Lists the namespaces that have a flow',
  reply: z.array(z.string()),
});

export const listExecutableFlows = endpoint({
  method: 'GET',
  path: '/executions/namespaces/{namespace}/flows',
  summary: 'Lists the flows of exactly one namespace',
  params: z.object({ namespace: z.string() }),
  reply: z.array(FlowForExecution),
});
