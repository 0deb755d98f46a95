import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FlowGraph } from '../graph.ts';
import { listOf, Paging, pagedOf } from '../paging.ts';

/** `flow`, `dashboard` or `app`, in any case; there are no apps. */
const OfKind = z.object({ kind: z.string() });
const ById = OfKind.extend({ id: z.string() });

export const BlueprintItem = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  /** The types that occur in it, each once. */
  includedTasks: z.array(z.string()),
  tags: z.array(z.string()),
  publishedAt: z.string(),
});
export type BlueprintItem = z.infer<typeof BlueprintItem>;

export const Blueprint = BlueprintItem.extend({
  source: z.string(),
  kind: z.enum(['FLOW', 'DASHBOARD', 'APP']),
});
export type Blueprint = z.infer<typeof Blueprint>;

export const BlueprintTag = z.object({ id: z.string(), name: z.string(), publishedAt: z.string() });
export type BlueprintTag = z.infer<typeof BlueprintTag>;

export const listBlueprints = endpoint({
  method: 'GET',
  path: '/blueprints/community/{kind}',
  summary: 'Lists blueprints of one kind',
  params: OfKind,
  query: z.looseObject({ ...Paging.shape, q: z.string().optional(), tags: listOf(z.string()) }),
  reply: pagedOf(BlueprintItem),
});

export const listBlueprintTags = endpoint({
  method: 'GET',
  path: '/blueprints/community/{kind}/tags',
  summary: 'Lists the tags of the blueprints that match',
  params: OfKind,
  query: z.looseObject({ q: z.string().optional() }),
  reply: z.array(BlueprintTag),
});

export const getBlueprint = endpoint({
  method: 'GET',
  path: '/blueprints/community/{kind}/{id}',
  summary: 'Reads a blueprint with its source',
  params: ById,
  reply: Blueprint,
});

export const getBlueprintSource = endpoint({
  method: 'GET',
  path: '/blueprints/community/{kind}/{id}/source',
  summary: 'Reads the YAML source of a blueprint',
  params: ById,
  reply: z.string(),
  replyKind: 'text',
});

export const getBlueprintGraph = endpoint({
  method: 'GET',
  path: '/blueprints/community/{kind}/{id}/graph',
  summary: 'Draws the topology of a blueprint of a flow',
  params: ById,
  reply: FlowGraph,
});
