import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Flow, FlowRevision, FlowValidation, FlowWithSource } from '../flow.ts';
import { FlowGraph } from '../graph.ts';
import { flag, listOf, Paging, pagedOf } from '../paging.ts';

const FlowKey = z.object({ namespace: z.string(), id: z.string() });

export const FlowFilters = z.looseObject({
  q: z.string().optional(),
  namespace: z.string().optional(),
  scope: listOf(z.enum(['USER', 'SYSTEM'])),
  labels: z.preprocess(
    (v) => (v === undefined || Array.isArray(v) ? v : [v]),
    z.array(z.string()).optional(),
  ),
});

export const searchFlows = endpoint({
  method: 'GET',
  path: '/flows/search',
  summary: 'Lists the latest revisions of flows',
  query: z.looseObject({ ...Paging.shape, ...FlowFilters.shape }),
  reply: pagedOf(Flow),
});

export const listNamespaces = endpoint({
  method: 'GET',
  path: '/flows/distinct-namespaces',
  summary: 'Lists the namespaces that hold flows',
  query: z.looseObject({ q: z.string().optional() }),
  reply: z.array(z.string()),
});

export const listFlowsOfNamespace = endpoint({
  method: 'GET',
  path: '/flows/{namespace}',
  summary: 'Lists the flows of exactly one namespace',
  params: z.object({ namespace: z.string() }),
  reply: z.array(Flow),
});

export const getFlow = endpoint({
  method: 'GET',
  path: '/flows/{namespace}/{id}',
  summary: 'Reads a flow, with its source on demand',
  params: FlowKey,
  query: z.looseObject({
    source: flag(false),
    revision: z.coerce.number().int().optional(),
    allowDeleted: flag(false),
  }),
  reply: FlowWithSource.partial({ source: true }),
});

export const listRevisions = endpoint({
  method: 'GET',
  path: '/flows/{namespace}/{id}/revisions',
  summary: 'Lists every revision of a flow with its source, date, author and message',
  params: FlowKey,
  reply: z.array(FlowRevision),
});

/** All of them or none: 404 for an unknown one, 422 for the latest, 409 while an execution runs one of them. */
export const deleteRevisions = endpoint({
  method: 'DELETE',
  path: '/flows/{namespace}/{id}/revisions',
  summary: 'Deletes old revisions of a flow',
  params: FlowKey,
  query: z.looseObject({ revisions: listOf(z.coerce.number().int().min(1)) }),
  status: 200,
});

export const getFlowGraph = endpoint({
  method: 'GET',
  path: '/flows/{namespace}/{id}/graph',
  summary: 'Draws the topology of a saved flow',
  params: FlowKey,
  query: z.looseObject({ revision: z.coerce.number().int().optional(), subflows: listOf(z.string()) }),
  reply: FlowGraph,
});

/** With it a flow whose only errors are types that no plugin provides is saved, disabled. */
export const keepUnknownTypes = () => flag(false).optional();

/** Older clients send the flow as a JSON object: its source is then written by the server and not sent back. */
const SavedFlow = FlowWithSource.partial({ source: true }).extend({
  /** Mistakes that do not prevent saving, such as an expression that reads a missing output. */
  warnings: z.array(z.string()).optional(),
});
export type SavedFlow = z.infer<typeof SavedFlow>;

/**
 * The revision that the edited text is based on, 0 for a flow that is new. With it a save is idempotent: the same text
 * again returns the revision that the first save made, and another revision in between is a conflict (409).
 */
const SaveQuery = z.looseObject({
  baseRevision: z.coerce.number().int().min(0).optional(),
  keepUnknownTypes: keepUnknownTypes(),
  /** Why the revision is saved; it is shown in the list of revisions. */
  message: z.string().max(1000).optional(),
});

export const createFlow = endpoint({
  method: 'POST',
  path: '/flows',
  summary: 'Creates a flow from its YAML source',
  query: SaveQuery,
  body: z.string(),
  bodyKind: 'yaml',
  reply: SavedFlow,
});

export const updateFlow = endpoint({
  method: 'PUT',
  path: '/flows/{namespace}/{id}',
  summary: 'Saves a new revision of a flow',
  params: FlowKey,
  query: SaveQuery,
  body: z.string(),
  bodyKind: 'yaml',
  reply: SavedFlow,
});

export const deleteFlow = endpoint({
  method: 'DELETE',
  path: '/flows/{namespace}/{id}',
  summary: 'Deletes a flow; its revisions stay readable',
  params: FlowKey,
});

export const validateFlows = endpoint({
  method: 'POST',
  path: '/flows/validate',
  summary: 'Validates one or more flow sources, one answer per document',
  body: z.string(),
  bodyKind: 'yaml',
  reply: z.array(FlowValidation),
});

export const drawFlowSource = endpoint({
  method: 'POST',
  path: '/flows/graph',
  summary: 'Draws the topology of a source that need not be saved',
  query: z.looseObject({ subflows: listOf(z.string()) }),
  body: z.string(),
  bodyKind: 'yaml',
  reply: FlowGraph,
});
