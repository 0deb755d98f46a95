import { describe, expect, it } from 'vitest';
import type { FlowEventRecord, WindowRecord } from '../port/op.ts';
import { Conflict } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { anExecution, insert, noon, unique } from './records.ts';

const aWindow = (wanted: Partial<WindowRecord> = {}): WindowRecord => ({
  namespace: 'company.team',
  flowId: 'after',
  triggerId: unique('g'),
  conditionId: 'both',
  start: noon,
  end: noon + 1_000,
  results: { condition_1: true },
  ...wanted,
});

const anEvent = (wanted: Partial<FlowEventRecord> = {}): FlowEventRecord => ({
  executionId: unique('e'),
  position: 2,
  namespace: 'company.team',
  flowId: 'after',
  triggerId: 'g',
  at: noon,
  ...wanted,
});

export function windowTests(subject: Subject): void {
  describe('windows and state changes of flow triggers', () => {
    it('keeps a window by trigger and condition, and counts its versions', async () => {
      const store = subject();
      const window = aWindow({ outputs: { rows: 1 } });
      const other = aWindow({ triggerId: window.triggerId, conditionId: 'other' });
      const stored = () => store.listWindows(window.namespace, window.flowId, window.triggerId);
      expect(await stored()).toEqual([]);
      await store.commit([
        { op: 'window.put', window, expectVersion: 0 },
        { op: 'window.put', window: other, expectVersion: 0 },
      ]);
      const next = { ...window, results: { condition_1: true, condition_2: true } } as const;
      await store.commit([{ op: 'window.put', window: next, expectVersion: 1 }]);
      expect(await stored()).toEqual([
        { ...next, version: 2 },
        { ...other, version: 1 },
      ]);
      await store.commit([{ op: 'window.delete', ...window, expectVersion: 2 }]);
      expect(await stored()).toEqual([{ ...other, version: 1 }]);
      await store.commit([{ op: 'window.clear', ...window }]);
      expect(await stored()).toEqual([]);
    });

    it('refuses a window that was changed by someone else', async () => {
      const store = subject();
      const window = aWindow();
      const put = (expectVersion: number) => store.commit([{ op: 'window.put', window, expectVersion }]);
      const competing = await Promise.allSettled([put(0), put(0), put(0)]);
      expect(competing.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      await expect(put(2)).rejects.toThrow(Conflict);
      await expect(store.commit([{ op: 'window.delete', ...window, expectVersion: 2 }])).rejects.toThrow(
        Conflict,
      );
      await put(1);
    });

    it('hands a state change out once, together with what comes of it', async () => {
      const store = subject();
      const event = anEvent();
      await store.commit([{ op: 'flowEvent.put', event }]);
      await store.commit([{ op: 'flowEvent.put', event }]);
      const take = () => {
        const execution = anExecution();
        return store.commit([{ op: 'flowEvent.take', event }, insert(execution)]).then(() => execution.id);
      };
      const taken = await Promise.allSettled([take(), take(), take()]);
      const done = taken.filter((result) => result.status === 'fulfilled');
      expect(done).toHaveLength(1);
      expect(await store.getExecution(done[0]?.value ?? '')).toBeDefined();
      await expect(take()).rejects.toThrow(Conflict);
    });

    it('lists state changes that are not evaluated yet, oldest first', async () => {
      const store = subject();
      const long = Date.UTC(2002, 0);
      const events = [30, 10, 20].map((at) => anEvent({ at: long + at }));
      await store.commit(events.map((event) => ({ op: 'flowEvent.put' as const, event })));
      const open = async (before: number, limit = 10) =>
        (await store.openFlowEvents(long + before, limit)).map(({ at }) => at - long);
      expect(await open(30)).toEqual([10, 20]);
      expect(await open(31, 1)).toEqual([10]);
      expect(await store.openFlowEvents(long + 11, 1)).toEqual([events[1]]);
      await store.commit(events.map((event) => ({ op: 'flowEvent.take' as const, event })));
      expect(await open(100)).toEqual([]);
    });
  });
}
