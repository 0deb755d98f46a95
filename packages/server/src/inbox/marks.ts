import { AppError, type InboxMark } from '@millrace/contract';
import type { Store } from '@millrace/store';
import { z } from 'zod';
import { dataOf, StoredDate } from '../storedDocument.ts';

const kind = 'inbox.mark';
/** Marks are removed some time after their date, which is the end of a muted time. */
const maxMarks = 2_000;

const StoredMark = z.object({
  acknowledgedAt: StoredDate.optional(),
  mutedUntil: StoredDate.optional(),
  note: z.string().optional(),
});
export type StoredMark = Readonly<z.infer<typeof StoredMark>>;

export interface MarkChange {
  readonly key: string;
  readonly acknowledged?: boolean | undefined;
  readonly mutedUntil?: string | null | undefined;
  readonly note?: string | undefined;
}

export async function readMarks(store: Store): Promise<ReadonlyMap<string, StoredMark>> {
  const documents = await store.listDocuments({ kind, descending: true, limit: maxMarks });
  return new Map(
    documents.flatMap((document) => {
      const mark = dataOf(StoredMark, document);
      return mark ? [[document.id, mark] as const] : [];
    }),
  );
}

export async function markItem(change: MarkChange, store: Store, now: number): Promise<InboxMark> {
  const stored = await store.getDocument(kind, change.key);
  const mark = applyMark((stored && dataOf(StoredMark, stored)) ?? {}, change, now);
  if (mark.mutedUntil !== undefined && mark.mutedUntil <= now)
    throw new AppError('illegal-argument', `mutedUntil must be in the future, got "${change.mutedUntil}"`);
  const at = Math.max(now, mark.mutedUntil ?? 0);
  await store.commit([{ op: 'document.put', document: { kind, id: change.key, at, data: mark } }]);
  return presentMark(mark);
}

export function applyMark(mark: StoredMark, change: MarkChange, now: number): StoredMark {
  const { acknowledged, mutedUntil, note } = change;
  return {
    acknowledgedAt: acknowledged === undefined ? mark.acknowledgedAt : acknowledged ? now : undefined,
    mutedUntil:
      mutedUntil === undefined
        ? stillMuted(mark, now)
        : mutedUntil === null
          ? undefined
          : Date.parse(mutedUntil),
    note: note === undefined ? mark.note : note.trim() === '' ? undefined : note.trim(),
  };
}

const stillMuted = ({ mutedUntil }: StoredMark, now: number): number | undefined =>
  mutedUntil !== undefined && mutedUntil > now ? mutedUntil : undefined;

/** An acknowledged item appears again when something happened to it since. */
export const isHidden = (mark: StoredMark | undefined, at: number, now: number): boolean =>
  mark !== undefined &&
  ((mark.acknowledgedAt !== undefined && mark.acknowledgedAt >= at) || (mark.mutedUntil ?? 0) > now);

export const presentMark = ({ acknowledgedAt, mutedUntil, note }: StoredMark): InboxMark => ({
  ...(acknowledgedAt === undefined ? {} : { acknowledgedAt: new Date(acknowledgedAt).toISOString() }),
  ...(mutedUntil === undefined ? {} : { mutedUntil: new Date(mutedUntil).toISOString() }),
  ...(note === undefined ? {} : { note }),
});
