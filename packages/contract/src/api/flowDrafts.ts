import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FlowWithSource } from '../flow.ts';

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
  body: FlowDraft.omit({ updated: true }).extend({
    /**
     * When the draft that this one replaces was updated, empty when there was none. With it, a draft that another browser of
     * the user kept meanwhile is not overwritten: the call responds with 409.
     */
    replaces: z.string().max(40).optional(),
  }),
  reply: FlowDraft.extend({
    /** The current revision of the flow: higher than that of the draft when the flow was saved meanwhile. */
    flowRevision: z.number().int(),
  }),
});

export const deleteFlowDraft = endpoint({
  method: 'DELETE',
  path,
  summary: 'Deletes the draft of a flow that the current user keeps on the server',
  params: FlowKey,
});

/** A half-done text that its author saved for everyone. It never runs, and the current revision stays. */
export const DraftRevision = z.object({
  id: z.string(),
  source: z.string(),
  /** The revision that was current when the draft was saved. */
  revision: z.number().int(),
  author: z.string().optional(),
  message: z.string().optional(),
  updated: z.iso.datetime(),
  /** The first error of the text; absent when the draft can be published. */
  problem: z.string().optional(),
});
export type DraftRevision = z.infer<typeof DraftRevision>;

const DraftKey = FlowKey.extend({ draftId: z.string() });
const drafts = '/flows/{namespace}/{id}/drafts';

export const listDraftRevisions = endpoint({
  method: 'GET',
  path: drafts,
  summary: 'Lists the draft revisions of a flow, newest first',
  params: FlowKey,
  reply: z.array(DraftRevision),
});

export const saveDraftRevision = endpoint({
  method: 'POST',
  path: drafts,
  summary: 'Saves a text as a draft revision, also when it has errors; the draft never runs',
  params: FlowKey,
  body: z.object({ source: z.string().min(1), message: z.string().max(1000).optional() }),
  reply: DraftRevision,
});

export const publishDraftRevision = endpoint({
  method: 'POST',
  path: `${drafts}/{draftId}/publish`,
  summary:
    'Makes a draft revision the current revision of its flow, if it is valid and nothing was saved since',
  params: DraftKey,
  reply: FlowWithSource,
});

export const deleteDraftRevision = endpoint({
  method: 'DELETE',
  path: `${drafts}/{draftId}`,
  summary: 'Deletes a draft revision',
  params: DraftKey,
});
