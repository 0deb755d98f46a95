import { describe, expect, it } from 'vitest';
import type { KvRecord } from '../port/op.ts';
import { Conflict } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { noon, unique } from './records.ts';

export function kvTests(subject: Subject): void {
  const anEntry = (wanted: Partial<KvRecord> = {}): KvRecord => ({
    namespace: 'company.team',
    key: unique('k'),
    type: 'STRING',
    value: 'x',
    createdAt: noon,
    updatedAt: noon,
    ...wanted,
  });
  const put = (entry: KvRecord, mustBeNew?: true) =>
    subject().commit([{ op: 'kv.put', entry, ...(mustBeNew && { mustBeNew }) }]);

  describe('key-value entries', () => {
    it.each<[KvRecord['type'], unknown]>([
      ['STRING', 'a\0b \ud800 \u0001"'],
      ['NUMBER', 12.5],
      ['BOOLEAN', false],
      ['JSON', { a: [1, null, { __proto__: 1 }] }],
      ['STRING', null],
    ])('keeps a %s: %j', async (type, value) => {
      const entry = anEntry({ type, value, description: 'why', expiresAt: noon + 1 });
      await put(entry);
      expect(await subject().getKv(entry.namespace, entry.key)).toEqual({ ...entry, version: 1 });
    });

    it('counts versions, remembers when a key was made and forgets it with a value that had expired', async () => {
      const entry = anEntry();
      await put(entry);
      const { description: _, ...later } = { ...entry, value: 'y', createdAt: noon + 5, updatedAt: noon + 5 };
      await put({ ...later, expiresAt: noon + 10 });
      expect(await subject().getKv(entry.namespace, entry.key)).toMatchObject({
        value: 'y',
        version: 2,
        createdAt: noon,
      });
      await put({ ...later, createdAt: noon + 20, updatedAt: noon + 20 });
      const stored = await subject().getKv(entry.namespace, entry.key);
      expect(stored).toMatchObject({ createdAt: noon + 20, version: 3 });
      expect(stored?.expiresAt).toBeUndefined();
    });

    it('refuses a second value when the key must be new, unless the first has expired', async () => {
      const entry = anEntry({ expiresAt: noon + 10 });
      const competing = await Promise.allSettled([1, 2, 3].map(() => put(entry, true)));
      expect(competing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(put({ ...entry, updatedAt: noon + 9 }, true)).rejects.toThrow(Conflict);
      await put({ ...entry, updatedAt: noon + 10 }, true);
    });

    it('deletes a key once', async () => {
      const entry = anEntry();
      await put(entry);
      const remove = () => subject().commit([{ op: 'kv.delete', ...entry }]);
      await remove();
      await expect(remove()).rejects.toThrow(Conflict);
      expect(await subject().getKv(entry.namespace, entry.key)).toBeUndefined();
    });

    it('lists without values, by namespace and words, without what has expired', async () => {
      const parent = unique('n');
      const child = `${parent}.child`;
      for (const entry of [
        anEntry({ namespace: parent, key: 'b-two' }),
        anEntry({ namespace: child, key: 'a-one', expiresAt: noon + 10 }),
        anEntry({ namespace: `${parent}x`, key: 'c' }),
      ])
        await put(entry);
      const list = async (operation: 'EQUALS' | 'STARTS_WITH', q?: string, aliveAt?: number) => {
        const page = await subject().listKv({
          page: 1,
          size: 10,
          filters: [
            { field: 'namespace', operation, value: parent },
            ...(q === undefined ? [] : [{ field: 'q', operation: 'EQUALS' as const, value: q }]),
          ],
          ...(aliveAt === undefined ? {} : { aliveAt }),
        });
        expect(page.total).toBe(page.results.length);
        return page.results.map(({ key }) => key).join(' ');
      };
      expect(await list('EQUALS')).toBe('b-two');
      expect(await list('STARTS_WITH')).toBe('a-one b-two');
      expect(await list('STARTS_WITH', 'two')).toBe('b-two');
      expect(await list('STARTS_WITH', undefined, noon + 10)).toBe('b-two');
      const { results } = await subject().listKv({ page: 1, size: 10, filters: [] });
      expect(results[0]).not.toHaveProperty('value');
    });

    it('sweeps what has expired, and nothing else', async () => {
      const [old, young, eternal] = [
        anEntry({ expiresAt: 1_000 }),
        anEntry({ expiresAt: 1_001 }),
        anEntry(),
      ] as const;
      for (const entry of [old, young, eternal]) await put(entry);
      await subject().commit([{ op: 'kv.sweep', expiredAt: 1_000 }]);
      const left = [old, young, eternal].map(({ namespace, key }) => subject().getKv(namespace, key));
      expect((await Promise.all(left)).map((entry) => entry?.key)).toEqual([
        undefined,
        young.key,
        eternal.key,
      ]);
    });

    it('knows the namespaces that hold values or files', async () => {
      const [withValue, withFiles] = [unique('v'), unique('w')];
      await put(anEntry({ namespace: withValue }));
      const mark = (hasFiles: boolean) =>
        subject().commit([{ op: 'fileNamespace.put', namespace: withFiles, hasFiles }]);
      await mark(true);
      await mark(true);
      expect(await subject().listDataNamespaces()).toEqual(expect.arrayContaining([withValue, withFiles]));
      await mark(false);
      expect(await subject().listDataNamespaces()).not.toContain(withFiles);
    });
  });
}
