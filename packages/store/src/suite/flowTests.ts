import { describe, expect, it } from 'vitest';
import type { Filter } from '../port/filter.ts';
import { Conflict } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { aFlow, anExecution, unique } from './records.ts';

export function flowTests(subject: Subject): void {
  const save = (flow: ReturnType<typeof aFlow>, expectRevision = flow.revision - 1) =>
    subject().commit([{ op: 'flow.insert', flow, expectRevision }]);

  describe('flows', () => {
    it('keeps every revision and gives the latest', async () => {
      const store = subject();
      const first = aFlow({ description: 'hello', labels: [{ key: 'a', value: 'b' }], disabled: true });
      const second = {
        ...first,
        revision: 2,
        source: 'id: second\n',
        disabled: false,
        author: 'ada@example.com',
        message: 'Says hello twice: "hé"',
      };
      await save(first);
      await save(second);
      expect(await store.getFlow(first.namespace, first.id)).toEqual(second);
      expect(await store.getFlow(first.namespace, first.id, 1)).toEqual(first);
      expect(await store.getFlow(first.namespace, first.id, 3)).toBeUndefined();
      expect(await store.getFlow(first.namespace, 'missing')).toBeUndefined();
      expect(await store.listRevisions(first.namespace, first.id)).toEqual([first, second]);
    });

    it('refuses a revision made from one that is not the latest any more', async () => {
      const flow = aFlow();
      await expect(save(flow, 1)).rejects.toThrow(Conflict);
      await save(flow);
      await expect(save(flow)).rejects.toThrow(Conflict);
      await save({ ...flow, revision: 2 });
      await expect(save({ ...flow, revision: 3 }, 1)).rejects.toThrow(Conflict);
      const competing = await Promise.allSettled(
        [1, 2, 3].map((n) => save({ ...flow, revision: 3, source: `id: ${n}` })),
      );
      expect(competing.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      expect((await subject().listRevisions(flow.namespace, flow.id)).map((each) => each.revision)).toEqual([
        1, 2, 3,
      ]);
    });

    it('deletes old revisions, never the latest, nor one that is missing or still run', async () => {
      const store = subject();
      const flow = aFlow({ labels: [{ key: 'a', value: 'b' }] });
      for (const revision of [1, 2, 3, 4]) await save({ ...flow, revision });
      const { namespace, id } = flow;
      const remove = (...revisions: number[]) =>
        store.commit(
          revisions.map((revision) => ({ op: 'flow.deleteRevision', namespace, id, revision }) as const),
        );
      const open = anExecution({ namespace, flowId: id, flowRevision: 2 });
      await store.commit([{ op: 'execution.insert', execution: open }]);
      for (const refused of [[4], [1, 2], [7], [1, 1]])
        await expect(remove(...refused)).rejects.toThrow(Conflict);
      await remove(1, 3);
      const left = await store.listRevisions(namespace, id);
      expect(left.map(({ revision }) => revision)).toEqual([2, 4]);
      await save({ ...flow, revision: 5 });
      expect((await store.getFlow(namespace, id))?.revision).toBe(5);
    });

    it('keeps drafts beside the revisions: read by number, never the latest, in no list', async () => {
      const store = subject();
      const flow = aFlow({ namespace: unique('n'), labels: [{ key: 'a', value: 'b' }] });
      const { namespace, id } = flow;
      await save(flow);
      expect(await store.nextDraftRevision(namespace, id)).toBe(-1);
      const draft = { ...flow, revision: -1, source: 'id: draft\n' };
      await store.commit([{ op: 'flow.insertDraft', flow: draft }]);
      expect(await store.nextDraftRevision(namespace, id)).toBe(-2);
      expect(await store.getFlow(namespace, id, -1)).toEqual(draft);
      expect(await store.getFlow(namespace, id)).toEqual(flow);
      expect(await store.listRevisions(namespace, id)).toEqual([flow]);
      expect((await list(namespace)).results).toEqual([flow]);
      for (const refused of [draft, { ...draft, revision: 2 }])
        await expect(store.commit([{ op: 'flow.insertDraft', flow: refused }])).rejects.toThrow(Conflict);
      await save({ ...flow, revision: 2 });
      expect((await store.getFlow(namespace, id))?.revision).toBe(2);
    });

    it('lists only the latest revision and drops a deleted flow until it is saved again', async () => {
      const store = subject();
      const namespace = unique('n');
      const flow = aFlow({ namespace });
      await save(flow);
      await save({ ...flow, revision: 2 });
      const listed = async () => (await list(namespace)).results.map((each) => each.revision);
      expect(await listed()).toEqual([2]);
      await save({ ...flow, revision: 3, deleted: true });
      expect(await listed()).toEqual([]);
      expect((await list(namespace)).total).toBe(0);
      expect(await store.listFlowNamespaces()).not.toContain(namespace);
      expect((await store.getFlow(namespace, flow.id))?.deleted).toBe(true);
      await save({ ...flow, revision: 4 });
      expect(await listed()).toEqual([4]);
      expect(await store.listFlowNamespaces()).toContain(namespace);
    });

    it('filters by words, labels, namespace, flow id and source', async () => {
      const root = unique('n');
      const flows = [
        aFlow({ namespace: root, id: 'daily-report', labels: [{ key: 'team', value: 'data' }] }),
        aFlow({ namespace: `${root}.sub`, id: 'cleanup', source: 'id: cleanup\ntype: core.log.Log\n' }),
        aFlow({ namespace: `${root}x`, id: 'other', labels: [{ key: 'team', value: 'ops' }] }),
      ];
      for (const flow of flows) await save(flow);
      const found = async (filters: Filter[], source?: string) => {
        const query = { filters: [near(root), ...filters], page: 1, size: 10 };
        const page = await subject().listFlows(source === undefined ? query : { ...query, source });
        expect(page.total).toBe(page.results.length);
        return page.results.map((flow) => flow.id);
      };
      expect(await found([])).toEqual(['daily-report', 'cleanup', 'other']);
      expect(await found([{ field: 'q', operation: 'EQUALS', value: 'rep' }])).toEqual(['daily-report']);
      expect(await found([{ field: 'namespace', operation: 'STARTS_WITH', value: root }])).toEqual([
        'daily-report',
        'cleanup',
      ]);
      expect(await found([{ field: 'labels', operation: 'EQUALS', value: { team: 'data' } }])).toEqual([
        'daily-report',
      ]);
      expect(await found([{ field: 'labels', operation: 'NOT_EQUALS', value: { team: 'data' } }])).toEqual([
        'cleanup',
        'other',
      ]);
      expect(await found([{ field: 'flowId', operation: 'EQUALS', value: 'other' }])).toEqual(['other']);
      expect(await found([], 'core.log')).toEqual(['cleanup']);
    });

    it('forgets the labels of the revisions before', async () => {
      const namespace = unique('n');
      const flow = aFlow({ namespace, labels: [{ key: 'old', value: '1' }] });
      await save(flow);
      await save({ ...flow, revision: 2, labels: [{ key: 'new', value: '1' }] });
      const count = async (key: string) =>
        (await list(namespace, [{ field: 'labels', operation: 'EQUALS', value: { [key]: '1' } }])).total;
      expect([await count('old'), await count('new')]).toEqual([0, 1]);
    });

    it('sorts and pages', async () => {
      const namespace = unique('n');
      for (const id of ['b', 'd', 'a', 'c']) await save(aFlow({ namespace, id }));
      const page = async (number: number, descending: boolean) =>
        (
          await subject().listFlows({
            filters: [{ field: 'namespace', operation: 'EQUALS', value: namespace }],
            page: number,
            size: 3,
            sort: [{ field: 'id', descending }],
          })
        ).results.map((flow) => flow.id);
      expect(await page(1, false)).toEqual(['a', 'b', 'c']);
      expect(await page(2, false)).toEqual(['d']);
      expect(await page(1, true)).toEqual(['d', 'c', 'b']);
    });
  });

  const near = (root: string): Filter => ({ field: 'namespace', operation: 'REGEX', value: `^${root}` });
  const list = (namespace: string, filters: Filter[] = []) =>
    subject().listFlows({
      filters: [{ field: 'namespace', operation: 'EQUALS', value: namespace }, ...filters],
      page: 1,
      size: 100,
    });
}
