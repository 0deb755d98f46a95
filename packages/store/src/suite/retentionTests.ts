import { expect, it } from 'vitest';
import type { Op } from '../port/op.ts';
import { Conflict } from '../port/store.ts';
import type { OpenedStore } from './opened.ts';
import { aLog, aMetric, anExecution, aTaskRun, day, insert, moved, noon, update } from './records.ts';

const ended = (id: string, namespace: string, start: number, end = start + 1_000) =>
  anExecution({ id, namespace, start, end, state: 'SUCCESS' });

export function retentionTests(open: () => Promise<OpenedStore>): void {
  it('finds what has been over since before a moment, in a namespace and its children or outside of some', async () => {
    const { store, close } = await open();
    const executions = [
      ended('old', 'a', noon),
      ended('child', 'a.b', noon + 1),
      ended('other', 'ab', noon + 2),
      ended('late', 'a', noon, noon + 5 * day),
      anExecution({ id: 'running', namespace: 'a', start: noon, state: 'RUNNING' }),
    ];
    for (const execution of executions) await store.commit([insert(execution)]);
    const loose = { at: noon, namespace: 'a', triggerId: 't' };
    await store.commit([
      { op: 'log.insert', log: aLog({ ...loose, message: 'first' }) },
      { op: 'log.insert', log: aLog({ ...loose, namespace: 'ab' }) },
      { op: 'log.insert', log: aLog({ ...loose, executionId: 'old' }) },
    ]);
    const find = async (scope: { within?: string; except: string[] }, limit = 10) =>
      (await store.expiredExecutions({ ...scope, before: noon + day, limit })).map(({ id }) => id);
    expect(await find({ except: [] })).toEqual(['old', 'child', 'other']);
    expect(await find({ except: [] }, 1)).toEqual(['old']);
    expect(await find({ within: 'a', except: [] })).toEqual(['old', 'child']);
    expect(await find({ within: 'a', except: ['a.b'] })).toEqual(['old']);
    expect(await find({ except: ['a', 'ab'] })).toEqual([]);
    const logs = await store.expiredLogs({ within: 'a', except: [], before: noon + 1, limit: 10 });
    expect(logs.length).toBe(1);
    await store.commit([{ op: 'log.remove', ids: logs }]);
    const left = await store.searchLogs({ filters: [], page: 1, size: 10 });
    expect(left.results.map(({ namespace, executionId }) => [namespace, executionId])).toEqual(
      expect.arrayContaining([
        ['ab', undefined],
        ['a', 'old'],
      ]),
    );
    expect(left.total).toBe(2);
    const [series] = await store.logStatistics({
      from: noon - 1,
      to: noon + day,
      width: 'month',
      timeZone: 'UTC',
      filters: [],
    });
    expect(series?.buckets[0]?.counts).toEqual({ INFO: 2 });
    await close();
  });

  it('[A42] removes an execution with all that belongs to it, unless it runs again', async () => {
    const { store, close } = await open();
    const execution = ended('old', 'a', noon);
    const event = { executionId: 'old', position: 1, namespace: 'a', flowId: 'f', triggerId: 't', at: noon };
    await store.commit([
      insert({ ...execution, labels: [{ key: 'team', value: 'data' }] }),
      { op: 'taskRun.put', taskRun: aTaskRun('old') },
      { op: 'event.append', executionId: 'old', seq: 1, at: noon, events: [] },
      { op: 'log.insert', log: aLog({ executionId: 'old' }) },
      { op: 'metric.insert', metric: aMetric({ executionId: 'old' }) },
      { op: 'flowEvent.put', event },
    ]);
    const purge: Op = {
      op: 'execution.delete',
      id: 'old',
      logs: true,
      metrics: true,
      closedBefore: noon + day,
    };
    await expect(store.commit([{ ...purge, closedBefore: noon }])).rejects.toThrow(Conflict);
    const restarted = { ...moved(execution, 'RESTARTED'), closedAt: undefined };
    const { closedAt: _, ...running } = restarted;
    await store.commit([update(execution, running, 1)]);
    await expect(store.commit([purge])).rejects.toThrow(Conflict);
    expect((await store.getExecution('old'))?.taskRuns.length).toBe(1);
    await store.commit([update(running, moved(running, 'SUCCESS'), 2)]);
    await store.commit([purge]);
    expect(await store.getExecution('old')).toBeUndefined();
    expect(await store.listEvents('old')).toEqual([]);
    expect(await store.listLogs({ executionId: 'old' })).toEqual([]);
    expect(await store.listMetrics('old')).toEqual([]);
    expect(await store.openFlowEvents(noon + day, 10)).toEqual([]);
    expect(await store.searchTaskRuns({ filters: [], page: 1, size: 1 })).toEqual({ results: [], total: 0 });
    await expect(store.commit([purge])).rejects.toThrow(Conflict);
    await close();
  });

  it('looks up the extremes of durations again after a deletion, and keeps the sums', async () => {
    const { store, close } = await open();
    for (const [id, length] of [
      ['short', 10],
      ['middle', 500],
      ['long', 9_000],
    ] as const) {
      const execution = ended(id, 'a', noon, noon + length);
      const taskRun = aTaskRun(id, { state: execution.state });
      await store.commit([insert(execution), { op: 'taskRun.put', taskRun }]);
    }
    for (const id of ['short', 'long']) {
      await store.commit([{ op: 'execution.delete', id, logs: true, metrics: true }]);
    }
    while (await store.tidy()) {
      // In small steps.
    }
    const query = { from: noon - day, to: noon + day, width: 'day', timeZone: 'UTC', filters: [] } as const;
    for (const series of [await store.executionStatistics(query), await store.taskRunStatistics(query)]) {
      expect(series[0]?.buckets.filter(({ counts }) => counts.SUCCESS !== undefined)).toMatchObject([
        { counts: { SUCCESS: 1 }, duration: { count: 1, sum: 500, min: 500, max: 500 } },
      ]);
    }
    await close();
  });
}
