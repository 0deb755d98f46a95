import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Execution } from '../execution.ts';
import { FlowForExecution } from '../flow.ts';
import { Paging, pagedOf } from '../paging.ts';

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
