import { AppError, flowDrafts } from '@millrace/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findFlow } from '../../actions/findFlow.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

const Kept = z.object({ source: z.string(), revision: z.number().optional(), at: z.number() });

/** Texts that users have not saved yet. Each user has one per flow; other users never see it. */
export function mountFlowDrafts(app: FastifyInstance, product: Product): void {
  const { store, clock } = product;

  mount(app, flowDrafts.getFlowDraft, async ({ params, request }) => {
    if (!request.user) return { isKept: false };
    const kept = Kept.safeParse(await store.getSetting(keyOf(request, params))).data;
    return { isKept: true, ...(kept && { draft: present(kept) }) };
  });

  mount(app, flowDrafts.putFlowDraft, async ({ params, body, request }) => {
    if (!request.user)
      throw new AppError('illegal-state', 'drafts are kept on the server only for a user who signed in');
    const { record } = await findFlow(product, params);
    const { replaces, ...draft } = body;
    const key = keyOf(request, params);
    const kept = Kept.safeParse(await store.getSetting(key)).data;
    const isOther = kept && kept.source !== draft.source && present(kept).updated !== replaces;
    if (replaces !== undefined && isOther)
      throw new AppError('conflict', 'another browser kept a draft of this flow meanwhile');
    // Two drafts of one millisecond must differ in their dates.
    const value = { ...draft, at: Math.max(clock(), (kept?.at ?? 0) + 1) };
    await store.commit([{ op: 'setting.put', key, value }]);
    return { ...present(value), flowRevision: record.revision };
  });

  mount(app, flowDrafts.deleteFlowDraft, async ({ params, request }) => {
    await store.commit([{ op: 'setting.put', key: keyOf(request, params), value: undefined }]);
  });
}

const keyOf = ({ user }: FastifyRequest, { namespace, id }: { namespace: string; id: string }): string =>
  `flowDraft/${encodeURIComponent(user?.username ?? '')}/${namespace}/${id}`;

const present = ({ source, revision, at }: z.infer<typeof Kept>): flowDrafts.FlowDraft => ({
  source,
  ...(revision !== undefined && { revision }),
  updated: new Date(at).toISOString(),
});
