import { describe, expect, it } from 'vitest';
import type { EventQuery } from '../port/queries.ts';
import { Conflict } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { aLog, aMetric, anExecution, aTaskRun, insert, moved, noon, unique, update } from './records.ts';

export function executionTests(subject: Subject): void {
  describe('executions', () => {
    it('knows nothing of an execution that was never stored', async () => {
      expect(await subject().getExecution('missing')).toBeUndefined();
      expect(await subject().listEvents('missing')).toEqual([]);
    });

    it('keeps every field of the record', async () => {
      const store = subject();
      const execution = anExecution({
        state: 'SUCCESS',
        inputs: { name: 'World', nested: { list: [1, null, 'x'] } },
        outputs: { done: true },
        variables: { a: 1 },
        labels: [
          { key: 'team', value: 'data' },
          { key: 'team', value: 'data' },
        ],
        trigger: { id: 'hook', type: 'core.trigger.Webhook', variables: { executionId: 'parent', body: {} } },
        parentId: 'parent',
        scheduledAt: noon,
        traceParent: '00-abc',
        kind: 'TEST',
        memo: { waiting: [1] },
      });
      await store.commit([insert(execution)]);
      expect((await store.getExecution(execution.id))?.execution).toEqual(execution);
    });

    it('writes what an update changes, also the parts that hardly ever change', async () => {
      const store = subject();
      const execution = anExecution({ inputs: { a: 1 }, labels: [{ key: 'k', value: 'old' }] });
      await store.commit([insert(execution)]);
      // The same objects, as the engine passes them.
      const running = moved(execution, 'RUNNING');
      await store.commit([update(execution, running, 1)]);
      expect((await store.getExecution(execution.id))?.execution).toEqual(running);
      const { inputs: _gone, ...bare } = running;
      const changed = { ...bare, labels: [{ key: 'k', value: 'new' }], trigger: { id: 't', type: 'x' } };
      await store.commit([update(running, changed, 2)]);
      expect((await store.getExecution(execution.id))?.execution).toEqual(changed);
      // Objects that were stored before, but are not the stored ones now.
      await store.commit([update(changed, running, 3)]);
      expect((await store.getExecution(execution.id))?.execution).toEqual(running);
      const byLabel = (value: string) =>
        store.listExecutions({
          page: 1,
          size: 10,
          filters: [
            { field: 'labels', operation: 'EQUALS', value: { k: value } },
            { field: 'q', operation: 'EQUALS', value: execution.id },
          ],
        });
      expect((await byLabel('old')).total).toBe(1);
      expect((await byLabel('new')).total).toBe(0);
    });

    it('refuses a second execution with the same unique key and finds the first by it', async () => {
      const store = subject();
      const first = anExecution();
      const uniqueKey = unique('key');
      expect(await store.findExecutionByKey(uniqueKey)).toBeUndefined();
      await store.commit([{ op: 'execution.insert', execution: first, uniqueKey }]);
      expect(await store.findExecutionByKey(uniqueKey)).toBe(first.id);
      await expect(
        store.commit([{ op: 'execution.insert', execution: anExecution(), uniqueKey }]),
      ).rejects.toThrow(Conflict);
      await store.commit([{ op: 'execution.delete', id: first.id, logs: false, metrics: false }]);
      expect(await store.findExecutionByKey(uniqueKey)).toBeUndefined();
    });

    it('lets exactly one of many concurrent inserts of a unique key win', async () => {
      const store = subject();
      const uniqueKey = unique('key');
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () =>
          store.commit([{ op: 'execution.insert', execution: anExecution(), uniqueKey }]),
        ),
      );
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    });

    it('inserts, replaces and deletes task runs, and gives them in the order of creation', async () => {
      const store = subject();
      const execution = anExecution();
      const [first, second, third] = [2, 0, 1].map((order) => aTaskRun(execution.id, { order }));
      if (first === undefined || second === undefined || third === undefined) throw new Error('three');
      await store.commit([
        insert(execution),
        ...[first, second, third].map((taskRun) => ({ op: 'taskRun.put' as const, taskRun })),
      ]);
      const replaced = {
        ...second,
        state: { current: 'SUCCESS' as const, histories: [{ state: 'SUCCESS' as const, date: noon }] },
        outputs: { value: 1 },
      };
      await store.commit([
        { op: 'taskRun.put', taskRun: replaced },
        { op: 'taskRun.delete', executionId: execution.id, ids: [third.id, 'missing'] },
      ]);
      expect((await store.getExecution(execution.id))?.taskRuns).toEqual([replaced, first]);
    });

    it('keeps events in their sequence and refuses a number twice', async () => {
      const store = subject();
      const executionId = unique('e');
      const append = (seq: number) =>
        store.commit([{ op: 'event.append', executionId, seq, at: noon + seq, events: [{ seq }] }]);
      await append(1);
      await append(3);
      await append(2);
      await expect(append(2)).rejects.toThrow(Conflict);
      expect((await store.listEvents(executionId)).map((stored) => stored.seq)).toEqual([1, 2, 3]);
    });

    it('reads a part of the events, and only those that mention a text', async () => {
      const store = subject();
      const executionId = unique('e');
      for (const [seq, id] of ['a_1', 'ab1', 'a_1', 'c%'].entries())
        await store.commit([
          { op: 'event.append', executionId, seq: seq + 1, at: noon, events: [{ type: 'taskStarted', id }] },
        ]);
      const seqs = async (query: EventQuery) =>
        (await store.listEvents(executionId, query)).map(({ seq }) => seq);
      expect(await seqs({ from: 2, limit: 2 })).toEqual([2, 3]);
      expect(await seqs({ mentions: ['"a_1"'] })).toEqual([1, 3]);
      expect(await seqs({ mentions: ['"a_1"', '"c%"'], from: 2 })).toEqual([3, 4]);
      expect(await seqs({ mentions: ["'; DROP TABLE"] })).toEqual([]);
      expect(await seqs({ mentions: [] })).toEqual([]);
    });

    it('reads single task runs of an execution', async () => {
      const store = subject();
      const execution = anExecution();
      const [first, second] = [aTaskRun(execution.id), aTaskRun(execution.id, { order: 1 })];
      await store.commit([
        { op: 'execution.insert', execution },
        { op: 'taskRun.put', taskRun: first },
        { op: 'taskRun.put', taskRun: second },
      ]);
      expect(await store.listTaskRuns(execution.id, [second.id, 'missing'])).toEqual([second]);
      expect(await store.listTaskRuns('other', [second.id])).toEqual([]);
      expect(await store.listTaskRuns(execution.id, [])).toEqual([]);
    });

    it('gives open executions oldest first, in pages', async () => {
      const store = subject();
      const executions = [50, 10, 30, 20, 40].map((offset) =>
        anExecution({ start: noon - 1_000_000 + offset, state: offset === 30 ? 'SUCCESS' : 'CREATED' }),
      );
      await Promise.all(executions.map((execution) => store.commit([insert(execution)])));
      const mine = new Set(executions.map((execution) => execution.id));
      const seen: string[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await store.openExecutions(after, 3);
        seen.push(...page.ids);
        if (page.next === undefined) break;
        after = page.next;
      }
      const expected = [1, 3, 4, 0].map((index) => executions[index]?.id);
      expect(seen.filter((id) => mine.has(id))).toEqual(expected);
      expect(new Set(seen).size).toBe(seen.length);
    });

    it('counts an execution as open again after a restart', async () => {
      const store = subject();
      const failed = anExecution({ state: 'FAILED' });
      await store.commit([insert(failed)]);
      const isOpen = async () => (await store.openExecutions(undefined, 100_000)).ids.includes(failed.id);
      expect(await isOpen()).toBe(false);
      const { closedAt: _, ...restarted } = moved(failed, 'RESTARTED');
      await store.commit([update(failed, restarted, 1)]);
      expect(await isOpen()).toBe(true);
    });

    it('[E20] counts an execution as open until everything has ended, its state final or not', async () => {
      const store = subject();
      const { closedAt: _, ...ended } = anExecution({ state: 'SUCCESS' });
      await store.commit([insert(ended)]);
      const open = await store.openExecutions(undefined, 100_000);
      expect(open.ids).toContain(ended.id);
      await store.commit([update(ended, { ...ended, closedAt: noon }, 1)]);
      const after = await store.openExecutions(undefined, 100_000);
      expect(after.ids).not.toContain(ended.id);
    });

    it('deletes an execution with its task runs, events and labels; logs and metrics when told', async () => {
      const store = subject();
      for (const flag of [false, true]) {
        const execution = anExecution({ labels: [{ key: 'gone', value: unique('v') }] });
        await store.commit([
          insert(execution),
          { op: 'taskRun.put', taskRun: aTaskRun(execution.id) },
          { op: 'event.append', executionId: execution.id, seq: 1, at: noon, events: [] },
          { op: 'log.insert', log: aLog({ executionId: execution.id }) },
          { op: 'metric.insert', metric: aMetric({ executionId: execution.id }) },
        ]);
        await store.commit([{ op: 'execution.delete', id: execution.id, logs: flag, metrics: flag }]);
        expect(await store.getExecution(execution.id)).toBeUndefined();
        expect(await store.listEvents(execution.id)).toEqual([]);
        expect(await store.listLogs({ executionId: execution.id })).toHaveLength(flag ? 0 : 1);
        expect(await store.listMetrics(execution.id)).toHaveLength(flag ? 0 : 1);
        await store.commit([insert(execution)]);
        expect((await store.getExecution(execution.id))?.taskRuns).toEqual([]);
      }
      await store.commit([{ op: 'execution.delete', id: 'missing', logs: true, metrics: true }]);
    });

    it('keeps metrics in their order', async () => {
      const store = subject();
      const executionId = unique('e');
      const metrics = [1, 2.5, -3].map((value) =>
        aMetric({ executionId, value, taskId: 'a', taskRunId: 'b', tags: { format: 'csv' } }),
      );
      await store.commit(metrics.map((metric) => ({ op: 'metric.insert', metric })));
      expect(await store.listMetrics(executionId)).toEqual(metrics);
    });
  });
}
