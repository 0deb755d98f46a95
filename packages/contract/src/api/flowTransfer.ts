import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FlowWithSource } from '../flow.ts';
import { flag } from '../paging.ts';
import { FlowFilters } from './flows.ts';

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

/** The part is called `fileUpload`. The answer names what could not be imported. */
export const importFlows = endpoint({
  method: 'POST',
  path: '/flows/import',
  summary: 'Imports flows from YAML or a zip archive',
  query: z.looseObject({ failOnError: flag(false) }),
  bodyKind: 'multipart',
  reply: z.array(z.string()),
});

export const replaceFlows = endpoint({
  method: 'POST',
  path: '/flows/{namespace}',
  summary: 'Makes the flows of a text those of a namespace',
  params: z.object({ namespace: z.string() }),
  query: z.looseObject({ delete: flag(true), override: flag(true) }),
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
  }),
  body: z.string(),
  bodyKind: 'yaml',
  reply: z.array(FlowWithSource),
});
