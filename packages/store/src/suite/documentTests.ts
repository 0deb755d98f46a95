import { describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../port/document.ts';
import { Conflict } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { noon, unique } from './records.ts';

export function documentTests(subject: Subject): void {
  const aDocument = (wanted: Partial<DocumentRecord> = {}): DocumentRecord => ({
    kind: 'note',
    id: unique('n'),
    at: noon,
    data: { text: 'a\0b 😀' },
    ...wanted,
  });

  describe('documents', () => {
    it('are written, replaced and deleted under the version that was read', async () => {
      const store = subject();
      const document = aDocument({ parent: 'p' });
      const { kind, id } = document;
      await store.commit([{ op: 'document.put', document, expectVersion: 0 }]);
      expect(await store.getDocument(kind, id)).toEqual({ ...document, version: 1 });
      const again = store.commit([{ op: 'document.put', document, expectVersion: 0 }]);
      await expect(again).rejects.toThrow(Conflict);
      const changed = { ...document, at: noon + 1, data: [1, null] };
      await store.commit([{ op: 'document.put', document: changed, expectVersion: 1 }]);
      expect(await store.getDocument(kind, id)).toEqual({ ...changed, version: 2 });
      const late = store.commit([{ op: 'document.put', document, expectVersion: 1 }]);
      await expect(late).rejects.toThrow(Conflict);
      await store.commit([{ op: 'document.put', document }]);
      expect(await store.getDocument(kind, id)).toEqual({ ...document, version: 3 });
      const wrong = store.commit([{ op: 'document.delete', kind, id, expectVersion: 2 }]);
      await expect(wrong).rejects.toThrow(Conflict);
      await store.commit([{ op: 'document.delete', kind, id, expectVersion: 3 }]);
      expect(await store.getDocument(kind, id)).toBeUndefined();
      await store.commit([{ op: 'document.delete', kind, id }]);
      const gone = store.commit([{ op: 'document.put', document, expectVersion: 3 }]);
      await expect(gone).rejects.toThrow(Conflict);
    });

    it('write nothing of a unit whose guard fails', async () => {
      const store = subject();
      const [first, second] = [aDocument(), aDocument()];
      const unit = store.commit([
        { op: 'document.put', document: first, expectVersion: 0 },
        { op: 'document.put', document: second, expectVersion: 4 },
      ]);
      await expect(unit).rejects.toThrow(Conflict);
      expect(await store.getDocument(first.kind, first.id)).toBeUndefined();
    });

    it('are listed by date, by parent and in a window, and swept by date', async () => {
      const store = subject();
      const kind = unique('kind');
      for (const [index, parent] of ['a', 'b', 'a', 'b'].entries())
        await store.commit([
          { op: 'document.put', document: aDocument({ kind, id: `d${index}`, parent, at: noon + index }) },
        ]);
      const ids = async (query: object) =>
        (await store.listDocuments({ kind, limit: 10, ...query })).map(({ id }) => id);
      expect(await ids({})).toEqual(['d0', 'd1', 'd2', 'd3']);
      expect(await ids({ descending: true, limit: 2, offset: 1 })).toEqual(['d2', 'd1']);
      expect(await ids({ parent: 'b' })).toEqual(['d1', 'd3']);
      expect(await ids({ from: noon + 1, to: noon + 3 })).toEqual(['d1', 'd2']);
      expect(await store.countDocuments({ kind, limit: 3 })).toBe(3);
      expect(await store.countDocuments({ kind, parent: 'a', limit: 3 })).toBe(2);
      await store.commit([{ op: 'document.sweep', kind, before: noon + 2 }]);
      expect(await ids({})).toEqual(['d2', 'd3']);
    });
  });
}
