import { describe, expect, it } from 'vitest';
import type { Op } from '../port/op.ts';
import { Conflict, type StoreChange } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { aFlow, aLog, anExecution, aTaskRun, insert, moved, noon, unique, update } from './records.ts';

export function commitTests(subject: Subject): void {
  describe('commit', () => {
    it('stores the whole unit', async () => {
      const store = subject();
      const execution = anExecution();
      const taskRun = aTaskRun(execution.id);
      await store.commit([
        insert(execution),
        { op: 'taskRun.put', taskRun },
        { op: 'event.append', executionId: execution.id, seq: 1, at: noon, events: [{ type: 'created' }] },
        { op: 'log.insert', log: aLog({ executionId: execution.id }) },
      ]);
      expect(await store.getExecution(execution.id)).toEqual({
        execution,
        taskRuns: [taskRun],
        version: 1,
        eventSeq: 1,
      });
      expect(await store.listEvents(execution.id)).toEqual([
        { seq: 1, at: noon, events: [{ type: 'created' }] },
      ]);
      expect(await store.listLogs({ executionId: execution.id })).toHaveLength(1);
    });

    it('accepts an empty unit', async () => {
      await subject().commit([]);
    });

    it('stores nothing of a unit whose guard fails, wherever the guard stands', async () => {
      const store = subject();
      const taken = anExecution();
      await store.commit([insert(taken)]);
      const other = anExecution();
      const key = unique('k');
      const before: Op[] = [
        insert(other),
        { op: 'taskRun.put', taskRun: aTaskRun(taken.id) },
        { op: 'setting.put', key, value: 1 },
        { op: 'log.insert', log: aLog({ executionId: taken.id }) },
      ];
      await expect(store.commit([...before, insert(taken)])).rejects.toThrow(Conflict);
      await expect(store.commit([insert(taken), ...before])).rejects.toThrow(Conflict);
      expect(await store.getExecution(other.id)).toBeUndefined();
      expect((await store.getExecution(taken.id))?.taskRuns).toEqual([]);
      expect(await store.getSetting(key)).toBeUndefined();
      expect(await store.listLogs({ executionId: taken.id })).toEqual([]);
    });

    it('rejects only the unit that conflicts, not its neighbours in the group', async () => {
      const store = subject();
      const taken = anExecution();
      await store.commit([insert(taken)]);
      const good = Array.from({ length: 40 }, () => anExecution());
      const units: Op[][] = good.map((execution) => [insert(execution)]);
      // One fails at its first write, one after it has written something.
      units.splice(10, 0, [insert(taken)]);
      units.splice(20, 0, [{ op: 'setting.put', key: unique('k'), value: 1 }, insert(taken)]);
      const results = await Promise.allSettled(units.map((unit) => store.commit(unit)));
      const rejected = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []));
      expect(rejected).toEqual([10, 20]);
      for (const execution of good) expect(await store.getExecution(execution.id)).toBeDefined();
    });

    it('names what the conflict was about', async () => {
      const store = subject();
      const execution = anExecution();
      await store.commit([insert(execution)]);
      await expect(store.commit([insert(execution)])).rejects.toThrow(
        `Execution "${execution.id}" was changed by someone else meanwhile.`,
      );
    });

    it('lets one of many competing updates of a version win', async () => {
      const store = subject();
      const execution = anExecution();
      await store.commit([insert(execution)]);
      const attempts = Array.from({ length: 20 }, () =>
        store.commit([update(execution, moved(execution, 'RUNNING'), 1)]),
      );
      const results = await Promise.allSettled(attempts);
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      expect((await store.getExecution(execution.id))?.version).toBe(2);
    });

    it('guards an update by version and by the state before', async () => {
      const store = subject();
      const execution = anExecution();
      const running = moved(execution, 'RUNNING');
      await store.commit([insert(execution)]);
      await expect(store.commit([update(execution, running, 2)])).rejects.toThrow(Conflict);
      await expect(store.commit([update(running, running, 1)])).rejects.toThrow(Conflict);
      await store.commit([update(execution, running, 1)]);
      await expect(store.commit([update(execution, running, 1)])).rejects.toThrow(Conflict);
      const missing = anExecution();
      await expect(store.commit([update(missing, moved(missing, 'RUNNING'), 1)])).rejects.toThrow(Conflict);
    });

    it('keeps the order of units that are committed without waiting', async () => {
      const store = subject();
      const execution = anExecution();
      const steps = Array.from({ length: 30 }, (_, index) => moved(execution, 'RUNNING', noon + index));
      const commits = [store.commit([insert(execution)])];
      steps.forEach((step, index) => {
        commits.push(store.commit([update(steps[index - 1] ?? execution, step, index + 1)]));
      });
      await Promise.all(commits);
      const stored = await store.getExecution(execution.id);
      expect(stored?.version).toBe(31);
      expect(stored?.execution).toEqual(steps[29]);
    });

    it('applies several writes of one row within a unit in their order', async () => {
      const store = subject();
      const execution = anExecution();
      const running = moved(execution, 'RUNNING');
      const taskRun = aTaskRun(execution.id);
      const again = { ...taskRun, value: 'again' };
      await store.commit([
        insert(execution),
        update(execution, running, 1),
        { op: 'taskRun.put', taskRun },
        { op: 'taskRun.delete', executionId: execution.id, ids: [taskRun.id] },
        { op: 'taskRun.put', taskRun: again },
      ]);
      expect(await store.getExecution(execution.id)).toEqual({
        execution: running,
        taskRuns: [again],
        version: 2,
        eventSeq: 0,
      });
      await store.commit([
        { op: 'execution.delete', id: execution.id, logs: true, metrics: true },
        insert(execution),
      ]);
      expect(await store.getExecution(execution.id)).toMatchObject({ execution, taskRuns: [], version: 1 });
    });

    it('stores a thousand units that arrive at once', async () => {
      const store = subject();
      const namespace = unique('many');
      const executions = Array.from({ length: 1_000 }, () => anExecution({ namespace }));
      await Promise.all(
        executions.map((execution) =>
          store.commit([insert(execution), { op: 'taskRun.put', taskRun: aTaskRun(execution.id) }]),
        ),
      );
      const page = await store.listExecutions({
        page: 1,
        size: 10_000,
        filters: [{ field: 'namespace', operation: 'EQUALS', value: namespace }],
      });
      expect(page.total).toBe(1_000);
      for (const { execution } of page.results) {
        expect((await store.getExecution(execution.id))?.taskRuns).toHaveLength(1);
      }
    });

    it('tells listeners which executions, logs and flows changed, after the commit', async () => {
      const store = subject();
      const changes: StoreChange[] = [];
      const stop = store.onChange((change) => changes.push(change));
      const execution = anExecution();
      const flow = aFlow();
      await store.commit([
        insert(execution),
        { op: 'log.insert', log: aLog({ executionId: execution.id }) },
        { op: 'flow.insert', flow, expectRevision: 0 },
      ]);
      const [{ logsOf, ...change }] = changes as [StoreChange];
      expect([change, changes.length]).toEqual([
        {
          executionIds: [execution.id],
          logExecutionIds: [execution.id],
          flows: [{ namespace: flow.namespace, id: flow.id }],
          templates: [],
        },
        1,
      ]);
      const stored = await store.listLogs({ executionId: execution.id });
      expect([logsOf?.(execution.id) ?? stored, logsOf?.('another') ?? []]).toEqual([stored, []]);
      await expect(store.commit([insert(execution)])).rejects.toThrow(Conflict);
      await store.commit([{ op: 'setting.put', key: unique('k'), value: 1 }]);
      stop();
      await store.commit([insert(anExecution())]);
      expect(changes).toHaveLength(1);
    });

    it('survives a listener that throws', async () => {
      const store = subject();
      const warnings: string[] = [];
      const remember = (warning: Error): void => void warnings.push(warning.message);
      process.on('warning', remember);
      const stop = store.onChange(() => {
        throw new Error('a careless listener');
      });
      const execution = anExecution();
      await store.commit([insert(execution)]);
      stop();
      expect(await store.getExecution(execution.id)).toBeDefined();
      await expect.poll(() => warnings).toContain('a careless listener');
      process.off('warning', remember);
    });

    it('responds to a ping', async () => {
      await subject().ping();
    });
  });
}
