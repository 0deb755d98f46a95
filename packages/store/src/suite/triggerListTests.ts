import { describe, expect, it } from 'vitest';
import type { Filter } from '../port/filter.ts';
import { Conflict } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { aFlow, aTrigger, noon, unique } from './records.ts';

export function triggerListTests(subject: Subject): void {
  describe('lists of triggers', () => {
    it('filters by words, namespace, flow, trigger, execution, type and worker', async () => {
      const root = unique('n');
      await save({
        namespace: root,
        flowId: 'daily-report',
        triggerId: 'morning',
        executionId: `${root}run`,
      });
      await save({
        namespace: `${root}.sub`,
        flowId: 'cleanup',
        triggerId: 'night',
        type: 'core.trigger.Flow',
      });
      const found = async (...filters: Filter[]) => {
        const near: Filter = { field: 'namespace', operation: 'STARTS_WITH', value: root };
        const { results, total } = await subject().listTriggers({
          page: 1,
          size: 10,
          filters: [near, ...filters],
        });
        expect(total).toBe(results.length);
        return results.map(({ triggerId }) => triggerId);
      };
      const is = (field: string, value: string): Filter => ({ field, operation: 'EQUALS', value });
      expect(await found()).toEqual(['morning', 'night']);
      expect(await found(is('q', 'rep mor'))).toEqual(['morning']);
      expect(await found(is('q', `${root}ru`))).toEqual(['morning']);
      expect(await found({ field: 'q', operation: 'REGEX', value: 'clean.*' })).toEqual(['night']);
      expect(await found(is('namespace', root))).toEqual(['morning']);
      expect(await found(is('flowId', 'cleanup'))).toEqual(['night']);
      expect(await found(is('triggerId', 'night'))).toEqual(['night']);
      expect(await found(is('executionId', `${root}run`))).toEqual(['morning']);
      expect(await found(is('type', 'core.trigger.Flow'))).toEqual(['night']);
      expect(await found(is('workerId', 'w'))).toEqual([]);
      expect(await found({ field: 'workerId', operation: 'NOT_IN', value: ['w'] })).toHaveLength(2);
      expect(await found(is('scope', 'SYSTEM'))).toEqual([]);
    });

    it('sorts, pages and leaves out what has lost its flow', async () => {
      const namespace = unique('n');
      for (const [flowId, nextAt] of [
        ['a', noon + 2],
        ['b', undefined],
        ['c', noon + 1],
      ] as const) {
        await save({ namespace, flowId, triggerId: 't', ...(nextAt === undefined ? {} : { nextAt }) });
      }
      await subject().commit([{ op: 'trigger.put', trigger: aTrigger({ namespace, flowId: 'gone' }) }]);
      const list = async (page: number, size: number, field?: string, descending = false) => {
        const filters: Filter[] = [{ field: 'namespace', operation: 'EQUALS', value: namespace }];
        const sort = field === undefined ? [] : [{ field, descending }];
        const { results, total } = await subject().listTriggers({ page, size, filters, sort });
        expect(total).toBe(3);
        return results.map(({ flowId }) => flowId).join('');
      };
      expect(await list(1, 10)).toBe('abc');
      expect(await list(2, 2)).toBe('c');
      expect(await list(1, 10, 'nextExecutionDate')).toBe('bca');
      expect(await list(1, 10, 'nextExecutionDate', true)).toBe('acb');
      const dated = await subject().listTriggers({
        page: 1,
        size: 1,
        filters: [
          { field: 'namespace', operation: 'EQUALS', value: namespace },
          { field: 'nextExecutionDate', operation: 'GREATER_THAN', value: noon },
        ],
        sort: [{ field: 'nextExecutionDate', descending: false }],
      });
      expect([dated.total, dated.results[0]?.flowId]).toEqual([2, 'c']);
      await expect(list(1, 10, 'data')).rejects.toMatchObject({ code: 'illegal-argument' });
    });

    it('gives the triggers of one flow', async () => {
      const store = subject();
      const namespace = unique('n');
      for (const triggerId of ['b', 'a'])
        await store.commit([{ op: 'trigger.put', trigger: aTrigger({ namespace, flowId: 'f', triggerId }) }]);
      await store.commit([{ op: 'trigger.put', trigger: aTrigger({ namespace, flowId: 'g' }) }]);
      const triggers = await store.listFlowTriggers(namespace, 'f');
      expect(triggers.map(({ triggerId }) => triggerId)).toEqual(['a', 'b']);
    });

    it('finds those that wait for an execution; they are not due', async () => {
      const store = subject();
      const long = Date.UTC(2003, 0);
      const executionId = unique('~lock');
      const locked = [`${executionId}a`, `${executionId}b`].map((id) =>
        aTrigger({ nextAt: long, executionId: id }),
      );
      await store.commit(locked.map((trigger) => ({ op: 'trigger.put' as const, trigger })));
      expect(await store.lockedTriggers({ executionId: `${executionId}b`, limit: 10 })).toEqual([locked[1]]);
      expect(await store.lockedTriggers({ after: executionId, limit: 1 })).toEqual([locked[0]]);
      expect(await store.lockedTriggers({ after: `${executionId}a`, limit: 10 })).toEqual([locked[1]]);
      const due = await store.dueTriggers(long, 1_000);
      expect(due.map(({ triggerId }) => triggerId)).not.toContain(locked[0]?.triggerId);
    });

    it('guards a row by what was read', async () => {
      const store = subject();
      const trigger = aTrigger({ updatedAt: noon });
      const put = (updatedAt: number, expectUpdatedAt: number | null) =>
        store.commit([{ op: 'trigger.put', trigger: { ...trigger, updatedAt }, expectUpdatedAt }]);
      await expect(put(noon, noon)).rejects.toThrow(Conflict);
      await put(noon, null);
      await expect(put(noon, null)).rejects.toThrow(Conflict);
      const competing = await Promise.allSettled([1, 2, 3].map((n) => put(noon + n, noon)));
      expect(competing.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      await expect(put(noon + 9, noon)).rejects.toThrow(Conflict);
    });
  });

  async function save(wanted: Parameters<typeof aTrigger>[0] & { namespace: string; flowId: string }) {
    const flow = aFlow({ namespace: wanted.namespace, id: wanted.flowId });
    await subject().commit([
      { op: 'flow.insert', flow, expectRevision: 0 },
      { op: 'trigger.put', trigger: aTrigger(wanted) },
    ]);
  }
}
