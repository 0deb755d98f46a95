import { describe, expect, it } from 'vitest';
import { Conflict } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { anExecution, aTrigger, insert, noon, unique } from './records.ts';

export function triggerTests(subject: Subject): void {
  describe('triggers and settings', () => {
    it('keeps, replaces and deletes a trigger', async () => {
      const store = subject();
      const trigger = aTrigger({
        nextAt: noon,
        evaluatedAt: noon - 1,
        executionId: 'e',
        memo: { backfill: {} },
      });
      const key = [trigger.namespace, trigger.flowId, trigger.triggerId] as const;
      await store.commit([{ op: 'trigger.put', trigger }]);
      expect(await store.getTrigger(...key)).toEqual(trigger);
      const { executionId: _, ...released } = trigger;
      await store.commit([{ op: 'trigger.put', trigger: { ...released, disabled: true } }]);
      expect(await store.getTrigger(...key)).toEqual({ ...released, disabled: true });
      await store.commit([{ op: 'trigger.delete', namespace: key[0], flowId: key[1], triggerId: key[2] }]);
      expect(await store.getTrigger(...key)).toBeUndefined();
    });

    it('fires a slot once: the guard on the next date covers the execution of the same unit', async () => {
      const store = subject();
      const trigger = aTrigger({ nextAt: noon });
      await store.commit([{ op: 'trigger.put', trigger, expectNextAt: null }]);
      const fire = () => {
        const execution = anExecution();
        return store
          .commit([
            { op: 'trigger.put', trigger: { ...trigger, nextAt: noon + 60_000 }, expectNextAt: noon },
            insert(execution),
          ])
          .then(() => execution.id);
      };
      const results = await Promise.allSettled([fire(), fire(), fire()]);
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      await expect(fire()).rejects.toThrow(Conflict);
      await expect(store.commit([{ op: 'trigger.put', trigger, expectNextAt: null }])).rejects.toThrow(
        Conflict,
      );
    });

    it('takes an absent row and an absent date for the same expectation', async () => {
      const store = subject();
      const trigger = aTrigger();
      const expectNone = () => store.commit([{ op: 'trigger.put', trigger, expectNextAt: null }]);
      await expectNone();
      await expectNone();
      await expect(
        store.commit([{ op: 'trigger.put', trigger: aTrigger(), expectNextAt: noon }]),
      ).rejects.toThrow(Conflict);
    });

    it('gives enabled triggers that are due, the most overdue first', async () => {
      const store = subject();
      const namespace = unique('due');
      const long = Date.UTC(2001, 0);
      const triggers = [30, 10, 20, 40].map((nextAt) => aTrigger({ namespace, nextAt: long + nextAt }));
      await store.commit([
        ...triggers.map((trigger) => ({ op: 'trigger.put' as const, trigger })),
        { op: 'trigger.put', trigger: aTrigger({ namespace, nextAt: long, disabled: true }) },
        { op: 'trigger.put', trigger: aTrigger({ namespace }) },
      ]);
      const due = async (now: number, limit = 100) =>
        (await store.dueTriggers(long + now, limit)).map((trigger) => (trigger.nextAt ?? 0) - long);
      expect(await due(30)).toEqual([10, 20, 30]);
      expect(await due(30, 2)).toEqual([10, 20]);
      expect(await due(9)).toEqual([]);
    });

    it('finds due triggers by the group of workers that may evaluate them', async () => {
      const store = subject();
      const [namespace, long] = [unique('group'), Date.UTC(2000, 0)];
      const groups = [undefined, 'gpu', 'other'];
      await store.commit(
        groups.map((workerGroup, index) => ({
          op: 'trigger.put' as const,
          trigger: {
            ...aTrigger({ namespace, nextAt: long + index }),
            ...(workerGroup === undefined ? {} : { workerGroup }),
          },
        })),
      );
      const due = async (from?: Parameters<typeof store.dueTriggers>[2]) =>
        (await store.dueTriggers(long + 9, 100, from)).map(({ workerGroup }) => workerGroup);
      expect(await due()).toEqual(groups);
      expect(await due('ungrouped')).toEqual([undefined]);
      expect(await due('grouped')).toEqual(['gpu', 'other']);
      expect(await due({ workerGroup: 'gpu' })).toEqual(['gpu']);
      for (const { triggerId, flowId } of await store.dueTriggers(long + 9, 100))
        await store.commit([{ op: 'trigger.delete', namespace, flowId, triggerId }]);
    });

    it('refuses a setting that must be new and is not, with everything in its unit', async () => {
      const store = subject();
      const [key, other] = [unique('k'), unique('k')];
      await store.commit([{ op: 'setting.put', key, value: 1, mustBeNew: true }]);
      const again = store.commit([
        { op: 'setting.put', key: other, value: 1 },
        { op: 'setting.put', key, value: 2, mustBeNew: true },
      ]);
      await expect(again).rejects.toThrow(Conflict);
      expect([await store.getSetting(key), await store.getSetting(other)]).toEqual([1, undefined]);
    });

    it('keeps settings of any JSON kind and removes them', async () => {
      const store = subject();
      const key = unique('k');
      expect(await store.getSetting(key)).toBeUndefined();
      for (const value of [1, 'text', null, { a: [true] }, undefined]) {
        await store.commit([{ op: 'setting.put', key, value }]);
        expect(await store.getSetting(key)).toEqual(value);
      }
    });
  });
}
