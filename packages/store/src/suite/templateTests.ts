import { describe, expect, it } from 'vitest';
import type { TemplateRecord } from '../port/op.ts';
import { Conflict, type StoreChange } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { noon, unique } from './records.ts';

export function templateTests(subject: Subject): void {
  const aTemplate = (wanted: Partial<TemplateRecord> = {}): TemplateRecord => ({
    tenantId: 'main',
    namespace: 'company.team',
    id: unique('t'),
    tasks: [{ id: 'a', type: 'core.log.Log', message: 'a\0 {{ x }}' }],
    updatedAt: noon,
    ...wanted,
  });

  describe('templates', () => {
    it('keeps, replaces and deletes them and says so', async () => {
      const store = subject();
      const template = aTemplate({ description: 'why', errors: [{ id: 'e', type: 'x' }] });
      const { namespace, id } = template;
      const changes: StoreChange[] = [];
      const stop = store.onChange((change) => changes.push(change));
      await store.commit([{ op: 'template.put', template, mustBeNew: true }]);
      expect(await store.getTemplate(namespace, id)).toEqual(template);
      await expect(store.commit([{ op: 'template.put', template, mustBeNew: true }])).rejects.toThrow(
        Conflict,
      );
      await store.commit([{ op: 'template.put', template: { ...template, tasks: [] } }]);
      expect((await store.getTemplate(namespace, id))?.tasks).toEqual([]);
      await store.commit([{ op: 'template.delete', namespace, id }]);
      expect(await store.getTemplate(namespace, id)).toBeUndefined();
      await expect(store.commit([{ op: 'template.delete', namespace, id }])).rejects.toThrow(Conflict);
      stop();
      const told = changes.flatMap(({ templates }) => templates).filter((key) => key.id === id);
      expect(told).toEqual([1, 2, 3].map(() => ({ namespace, id })));
    });

    it('lists them by namespace and words', async () => {
      const store = subject();
      const namespace = unique('n');
      for (const id of ['second', 'first'])
        await store.commit([{ op: 'template.put', template: aTemplate({ namespace, id }) }]);
      const list = async (q: string) => {
        const filters = [
          { field: 'namespace', operation: 'STARTS_WITH', value: namespace },
          { field: 'q', operation: 'EQUALS', value: q },
        ] as const;
        const page = await store.listTemplates({ page: 1, size: 10, filters });
        return page.results.map(({ id }) => id).join(' ');
      };
      expect(await list('*')).toBe('first second');
      expect(await list('sec')).toBe('second');
    });
  });
}
