import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const FlowKey = z.object({ namespace: z.string(), id: z.string() });

/** A text of a flow that is not saved as a revision and never runs. It may have errors. */
export const FlowDraft = z.object({
  source: z.string().min(1),
  /** The revision that the text is based on. */
  revision: z.number().int().optional(),
  updated: z.iso.datetime(),
});
export type FlowDraft = z.infer<typeof FlowDraft>;

const path = '/flows/{namespace}/{id}/draft';

export const getFlowDraft = endpoint({
  method: 'GET',
  path,
  summary: 'Reads the draft of a flow that the current user keeps on the server',
  params: FlowKey,
  reply: z.object({
    /** False while authentication is off: without a user there is no owner of a draft. */
    isKept: z.boolean(),
    draft: FlowDraft.optional(),
  }),
});

export const putFlowDraft = endpoint({
  method: 'PUT',
  path,
  summary: 'Keeps a draft of a flow for the current user',
  params: FlowKey,
  body: FlowDraft.omit({ updated: true }),
  reply: FlowDraft,
});

export const deleteFlowDraft = endpoint({
  method: 'DELETE',
  path,
  summary: 'Deletes the draft of a flow that the current user keeps on the server',
  params: FlowKey,
});
