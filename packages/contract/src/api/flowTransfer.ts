import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FlowWithSource } from '../flow.ts';
import { flag } from '../paging.ts';
import { FlowFilters, keepUnknownTypes } from './flows.ts';

const Keys = z.array(z.looseObject({ namespace: z.string(), id: z.string() }));

export const exportFlowsByQuery = endpoint({
  method: 'GET',
  path: '/flows/export/by-query',
  summary: 'Downloads the flows of a query as a zip archive',
  query: FlowFilters,
  replyKind: 'file',
});

export const exportFlowsByIds = endpoint({
  method: 'POST',
  path: '/flows/export/by-ids',
  summary: 'Downloads flows as a zip archive',
  body: Keys,
  replyKind: 'file',
});

/** The part is called `fileUpload`. The response names the flows that could not be imported. */
export const importFlows = endpoint({
  method: 'POST',
  path: '/flows/import',
  summary: 'Imports flows from YAML or a zip archive',
  query: z.looseObject({ failOnError: flag(false), keepUnknownTypes: keepUnknownTypes() }),
  bodyKind: 'multipart',
  reply: z.array(z.string()),
});

/** What an import would do with one document of a file. */
export const ImportPreview = z.object({
  /** The index in a text, from 0 on, or the path in an archive. */
  document: z.string(),
  namespace: z.string().optional(),
  flowId: z.string().optional(),
  /** `DISABLED`: a plugin is missing, so the flow is imported disabled. */
  change: z.enum(['CREATE', 'UPDATE', 'NONE', 'DISABLED', 'REFUSED']),
  /** The present revision of a flow that exists. */
  revision: z.number().int().optional(),
  /** The errors, with the line of the file; at most ten. */
  problems: z.array(z.object({ message: z.string(), line: z.number().int().optional() })),
  /** The stored and the imported text of an update; left out of the last documents of a very large file. */
  texts: z.object({ before: z.string(), after: z.string() }).optional(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const previewImport = endpoint({
  method: 'POST',
  path: '/flows/import/preview',
  summary: 'Tells what an import of flows would change, without changing anything',
  bodyKind: 'multipart',
  reply: z.array(ImportPreview),
});

export const replaceFlows = endpoint({
  method: 'POST',
  path: '/flows/{namespace}',
  summary: 'Makes the flows of a text those of a namespace',
  params: z.object({ namespace: z.string() }),
  query: z.looseObject({ delete: flag(true), override: flag(true), keepUnknownTypes: keepUnknownTypes() }),
  body: z.string(),
  bodyKind: 'yaml',
  reply: z.array(FlowWithSource),
});

/** Without a namespace flows are only deleted when `delete=true` is written out. */
export const saveFlowsInBulk = endpoint({
  method: 'POST',
  path: '/flows/bulk',
  summary: 'Creates and updates the flows of a text',
  query: z.looseObject({
    delete: z.string().optional(),
    namespace: z.string().optional(),
    allowNamespaceChild: flag(false),
    keepUnknownTypes: keepUnknownTypes(),
  }),
  body: z.string(),
  bodyKind: 'yaml',
  reply: z.array(FlowWithSource),
});
