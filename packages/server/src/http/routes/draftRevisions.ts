import { AppError, flowDrafts } from '@millrace/contract';
import { describeErrors, parseFlow } from '@millrace/engine';
import type { DocumentRecord } from '@millrace/store';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findFlow } from '../../actions/findFlow.ts';
import { updateFlow } from '../../actions/saveFlow.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { authorOf, withSource } from './flows.ts';

const kind = 'flowDraft';
const maxDrafts = 50;

const Kept = z.object({
  id: z.string(),
  source: z.string(),
  revision: z.number(),
  author: z.string().optional(),
  message: z.string().optional(),
});
type Kept = z.infer<typeof Kept>;
interface Key {
  readonly namespace: string;
  readonly id: string;
}

/** Half-done texts that their authors saved for everyone. They never run: no execution can name one. */
export function mountDraftRevisions(app: FastifyInstance, product: Product): void {
  const { store, catalogue, clock } = product;
  const parentOf = ({ namespace, id }: Key): string => `${namespace}/${id}`;
  const idOf = (key: Key, draftId: string): string => `${parentOf(key)}/${draftId}`;

  const present = ({ at, data }: Pick<DocumentRecord, 'at' | 'data'>): flowDrafts.DraftRevision[] => {
    const kept = Kept.safeParse(data).data;
    if (!kept) return [];
    const parsed = parseFlow(kept.source, catalogue);
    const problem = parsed.flow ? describeErrors(parsed.issues) : 'The text is not a flow.';
    return [{ ...kept, updated: new Date(at).toISOString(), ...(problem ? { problem } : {}) }];
  };

  const find = async (key: Key, draftId: string): Promise<Kept> => {
    const kept = Kept.safeParse((await store.getDocument(kind, idOf(key, draftId)))?.data).data;
    if (!kept) throw new AppError('not-found', `there is no draft "${draftId}" of the flow "${key.id}"`);
    return kept;
  };

  mount(app, flowDrafts.listDraftRevisions, async ({ params }) => {
    await findFlow(product, params);
    const parent = parentOf(params);
    const documents = await store.listDocuments({ kind, parent, descending: true, limit: maxDrafts });
    return documents.flatMap(present);
  });

  mount(app, flowDrafts.saveDraftRevision, async ({ params, body, request }) => {
    const { record } = await findFlow(product, params);
    const parent = parentOf(params);
    if ((await store.countDocuments({ kind, parent, limit: maxDrafts })) >= maxDrafts) {
      const message = `the flow "${params.id}" has ${maxDrafts} drafts; delete one before you save another`;
      throw new AppError('illegal-state', message);
    }
    const author = authorOf(request);
    const message = body.message?.trim();
    const data: Kept = {
      id: product.newId(),
      source: body.source,
      revision: record.revision,
      ...(author && { author }),
      ...(message && { message }),
    };
    const document = { kind, id: idOf(params, data.id), parent, at: clock(), data };
    await store.commit([{ op: 'document.put', document, expectVersion: 0 }]);
    return present(document)[0]!; // Written two lines above in this shape.
  });

  mount(app, flowDrafts.publishDraftRevision, async ({ params, request }) => {
    const draft = await find(params, params.draftId);
    const stored = await updateFlow(params, draft.source, product, {
      baseRevision: draft.revision,
      author: authorOf(request),
      message: draft.message,
    });
    await store.commit([{ op: 'document.delete', kind, id: idOf(params, draft.id) }]);
    return withSource(stored);
  });

  mount(app, flowDrafts.deleteDraftRevision, async ({ params }) => {
    await find(params, params.draftId);
    await store.commit([{ op: 'document.delete', kind, id: idOf(params, params.draftId) }]);
  });
}
