import {
  type ExecutionRecord,
  isTerminal,
  playgroundLabel,
  type StateType,
  type TaskRunRecord,
} from '@millrace/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../port/filter.ts';
import type { RunBucket, StatisticsQuery } from '../port/statistics.ts';
import { type BucketWidth, bucketsBetween, calendarOf } from '../statistics/calendar.ts';
import type { OpenedStore } from './opened.ts';
import { aFlow, aLog, anExecution, aTaskRun, aTrigger, day, insert, moved, update } from './records.ts';

const hour = 3_600_000;
/** Summer time begins in Berlin on 30 March 2025. */
const start = Date.UTC(2025, 2, 20, 7, 13);
const end = Date.UTC(2025, 3, 10, 16, 47);
const states: StateType[] = ['SUCCESS', 'FAILED', 'RUNNING', 'WARNING', 'CREATED'];

interface Sample {
  execution: ExecutionRecord;
  taskRuns: TaskRunRecord[];
}

/** Spread unevenly over flows, namespaces, states and the whole window. */
function samples(): Sample[] {
  return Array.from({ length: 240 }, (_, index) => {
    const at = start + Math.floor(((end - start) * ((index * 7919) % 240)) / 240);
    const state = states[index % states.length] ?? 'SUCCESS';
    const execution = anExecution({
      id: `stat${index}`,
      namespace: ['shop', 'shop.web', 'system'][index % 3] ?? 'shop',
      flowId: `flow${index % 4}`,
      start: at,
      end: at + 10 * (index + 1),
      state,
    });
    const taskRun = aTaskRun(execution.id, { state: execution.state });
    return {
      execution,
      taskRuns: index % 2 === 0 ? [taskRun] : [taskRun, aTaskRun(execution.id, { state: execution.state })],
    };
  });
}

/** The same figures, counted from the samples. */
function recount(
  query: StatisticsQuery,
  rows: readonly { at: number; state: StateType; duration: number | undefined }[],
): RunBucket[] {
  const buckets = bucketsBetween(calendarOf(query.timeZone), query.width, query);
  return buckets.map(({ at }, place) => {
    const next = buckets[place + 1]?.at ?? Number.POSITIVE_INFINITY;
    const inside = rows.filter(
      (row) => row.at >= Math.max(at, query.from) && row.at < Math.min(next, query.to),
    );
    const counts: Partial<Record<StateType, number>> = {};
    for (const row of inside) counts[row.state] = (counts[row.state] ?? 0) + 1;
    const durations = inside.flatMap(({ duration }) => duration ?? []);
    const duration = { count: durations.length, sum: durations.reduce((a, b) => a + b, 0) };
    const extremes = { min: Math.min(...durations), max: Math.max(...durations) };
    return { at, counts, duration: durations.length === 0 ? duration : { ...duration, ...extremes } };
  });
}

const measured = (state: ExecutionRecord['state']) => {
  const [first, last] = [state.histories[0], state.histories.at(-1)];
  const at = first?.date ?? 0;
  return {
    at,
    state: state.current,
    duration: isTerminal(state.current) ? (last?.date ?? at) - at : undefined,
  };
};

const filter = (field: string, operation: Filter['operation'], value: Filter['value']): Filter => ({
  field,
  operation,
  value,
});

export function statisticsTests(open: () => Promise<OpenedStore>): void {
  describe('statistics', () => {
    let opened: OpenedStore;
    const all = samples();
    beforeAll(async () => {
      opened = await open();
      await Promise.all(
        all.map(({ execution, taskRuns }) =>
          opened.store.commit([
            insert(execution),
            ...taskRuns.map((taskRun) => ({ op: 'taskRun.put', taskRun }) as const),
          ]),
        ),
      );
    });
    afterAll(() => opened.close());

    const window = { from: start + 5 * hour, to: end - 3 * hour, filters: [] };
    const cases: [BucketWidth, string][] = [
      ['day', 'UTC'],
      ['day', 'Europe/Berlin'],
      ['day', 'America/Los_Angeles'],
      ['day', 'Asia/Kolkata'],
      ['day', 'Asia/Kathmandu'],
      ['hour', 'Europe/Berlin'],
      ['hour', 'Asia/Kolkata'],
      ['week', 'Europe/Berlin'],
      ['month', 'America/New_York'],
    ];
    it.each(cases)('[S2-7o.7] count executions per %s in %s as a recount does', async (width, timeZone) => {
      const query = { ...window, width, timeZone };
      const expected = recount(
        query,
        all.map(({ execution }) => measured(execution.state)),
      );
      expect(await opened.store.executionStatistics(query)).toEqual([{ buckets: expected }]);
    });

    it('count per minute, also when the window ends between two minutes', async () => {
      const query = {
        ...window,
        from: start,
        to: start + 5 * hour + 12_345,
        width: 'minute',
        timeZone: 'UTC',
      } as const;
      const expected = recount(
        query,
        all.map(({ execution }) => measured(execution.state)),
      );
      expect(await opened.store.executionStatistics(query)).toEqual([{ buckets: expected }]);
    });

    const narrowings: [string, Filter[], (execution: ExecutionRecord) => boolean][] = [
      [
        'a namespace and its children',
        [filter('namespace', 'STARTS_WITH', 'shop')],
        (e) => e.namespace.startsWith('shop'),
      ],
      ['one namespace', [filter('namespace', 'EQUALS', 'shop')], (e) => e.namespace === 'shop'],
      ['a flow', [filter('flowId', 'EQUALS', 'flow2')], (e) => e.flowId === 'flow2'],
      [
        'states',
        [filter('state', 'IN', ['FAILED', 'WARNING'])],
        (e) => ['FAILED', 'WARNING'].includes(e.state.current),
      ],
      ['a scope', [filter('scope', 'EQUALS', ['USER'])], (e) => e.namespace !== 'system'],
      [
        'words of a flow',
        [filter('q', 'EQUALS', 'web flow1')],
        (e) => e.namespace === 'shop.web' && e.flowId === 'flow1',
      ],
      ['words of an id', [filter('q', 'EQUALS', 'stat11')], (e) => e.id.startsWith('stat11')],
      ['words that must not be there', [filter('q', 'NOT_EQUALS', 'web')], (e) => e.namespace !== 'shop.web'],
    ];
    it.each(narrowings)('[S2-7o.7] keep to %s', async (_, filters, keeps) => {
      const query = { ...window, filters, width: 'day', timeZone: 'Europe/Berlin' } as const;
      const kept = all.filter(({ execution }) => keeps(execution));
      expect(await opened.store.executionStatistics(query)).toEqual([
        {
          buckets: recount(
            query,
            kept.map(({ execution }) => measured(execution.state)),
          ),
        },
      ]);
      // Filters apply to the executions of task runs, but the state to the task run: here both have the same
      // state.
      expect(await opened.store.taskRunStatistics(query)).toEqual([
        {
          buckets: recount(
            query,
            kept.flatMap(({ taskRuns }) => taskRuns.map(({ state }) => measured(state))),
          ),
        },
      ]);
    });

    it('[S2-7o.8][S2-7o.9] are grouped by flow, for the flows asked for, and by namespace', async () => {
      const flows = [
        { namespace: 'shop', id: 'flow0' },
        { namespace: 'system', id: 'flow2' },
        { namespace: 'shop', id: 'unknown' },
      ];
      const query = { ...window, flows, groupBy: 'flow', width: 'day', timeZone: 'UTC' } as const;
      const of = (namespace: string, flowId?: string) =>
        recount(
          query,
          all
            .filter(
              ({ execution: e }) =>
                e.namespace === namespace && (flowId === undefined || e.flowId === flowId),
            )
            .map(({ execution }) => measured(execution.state)),
        );
      expect(await opened.store.executionStatistics(query)).toEqual([
        { namespace: 'shop', flowId: 'flow0', buckets: of('shop', 'flow0') },
        { namespace: 'system', flowId: 'flow2', buckets: of('system', 'flow2') },
      ]);
      const byNamespace = { ...window, groupBy: 'namespace', width: 'day', timeZone: 'UTC' } as const;
      expect(await opened.store.executionStatistics(byNamespace)).toEqual(
        ['shop', 'shop.web', 'system'].map((namespace) => ({ namespace, buckets: of(namespace) })),
      );
      expect((await opened.store.executionStatistics({ ...byNamespace, groupBy: 'flow' })).length).toBe(12);
    });

    it('refuse a time zone that is none', async () => {
      const asked = opened.store.executionStatistics({ ...window, width: 'day', timeZone: 'Mars/Olympus' });
      await expect(asked).rejects.toMatchObject({
        code: 'illegal-argument',
        message: expect.stringContaining('"Mars/Olympus"'),
      });
    });
  });

  it('statistics follow restarts, changes of task runs and deletions', async () => {
    const { store, close } = await open();
    const query = { from: start, to: end, filters: [], width: 'month', timeZone: 'UTC' } as const;
    const counts = async () => {
      const [executions, taskRuns, logs] = await Promise.all([
        store.executionStatistics(query),
        store.taskRunStatistics(query),
        store.logStatistics(query),
      ]);
      return [executions, taskRuns, logs].map(([series]) => series?.buckets[0]?.counts);
    };
    const first = anExecution({ id: 'one', start, state: 'FAILED', end: start + 700 });
    const other = anExecution({ id: 'two', start, state: 'SUCCESS', end: start + 500 });
    const run = aTaskRun('one', {
      state: { current: 'RUNNING', histories: [{ state: 'RUNNING', date: start }] },
    });
    const failed = moved({ ...first, state: run.state }, 'FAILED', start + 50).state;
    await store.commit([insert(first), { op: 'taskRun.put', taskRun: run }]);
    await store.commit([
      insert(other),
      { op: 'log.insert', log: aLog({ executionId: 'two', at: start, level: 'WARN' }) },
    ]);
    expect(await counts()).toEqual([{ FAILED: 1, SUCCESS: 1 }, { RUNNING: 1 }, { WARN: 1 }]);
    // Without the execution in the same unit, the store must look up the flow of the task run.
    await store.commit([{ op: 'taskRun.put', taskRun: { ...run, state: failed } }]);
    expect(await counts()).toEqual([{ FAILED: 1, SUCCESS: 1 }, { FAILED: 1 }, { WARN: 1 }]);
    const restarted = moved(first, 'RESTARTED', start + 900);
    await store.commit([
      update(first, restarted, 1),
      { op: 'taskRun.delete', executionId: 'one', ids: [run.id] },
    ]);
    expect(await counts()).toEqual([{ RESTARTED: 1, SUCCESS: 1 }, {}, { WARN: 1 }]);
    const [series] = await store.executionStatistics(query);
    expect(series?.buckets[0]?.duration).toEqual({ count: 1, sum: 500, min: 500, max: 500 });
    await store.commit([{ op: 'log.delete', selection: { executionId: 'two', minLevel: 'ERROR' } }]);
    expect((await counts())[2]).toEqual({ WARN: 1 });
    await store.commit([{ op: 'execution.delete', id: 'two', logs: true, metrics: true }]);
    expect(await counts()).toEqual([{ RESTARTED: 1 }, {}, {}]);
    await close();
  });

  it('[E397] statistics and dashboards leave playground executions out, from rows and from the roll-up', async () => {
    const { store, close } = await open();
    const labels = [playgroundLabel];
    for (const [index, at] of [start, start + 9 * day, end - 1].entries()) {
      const times = { start: at, state: 'SUCCESS', end: at + 500 } as const;
      const played = anExecution({ ...times, id: `played${index}`, end: at + 400, labels });
      await store.commit([
        insert(anExecution({ ...times, id: `normal${index}` })),
        insert(played),
        { op: 'taskRun.put', taskRun: aTaskRun(played.id, { state: played.state }) },
        { op: 'log.insert', log: aLog({ at, level: 'INFO', executionId: played.id }) },
        { op: 'log.insert', log: aLog({ at, level: 'INFO', executionId: `normal${index}` }) },
      ]);
    }
    const query = { from: start, to: end, filters: [], timeZone: 'UTC' } as const;
    for (const width of ['month', 'day', 'hour'] as const) {
      const [series] = await store.executionStatistics({ ...query, width });
      const counts = series?.buckets.map((bucket) => bucket.counts.SUCCESS ?? 0) ?? [];
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
      const durations = series?.buckets.map(({ duration }) => duration.sum) ?? [];
      expect(durations.reduce((sum, duration) => sum + duration, 0)).toBe(1_500);
      const [taskRuns] = await store.taskRunStatistics({ ...query, width });
      expect(taskRuns?.buckets.every((bucket) => Object.keys(bucket.counts).length === 0) ?? true).toBe(true);
      const [logs] = await store.logStatistics({ ...query, width });
      expect(logs?.buckets.reduce((sum, bucket) => sum + (bucket.counts.INFO ?? 0), 0)).toBe(3);
    }
    const grouped = await store.executionStatistics({ ...query, width: 'month', groupBy: 'flow' });
    expect(grouped.flatMap(({ buckets }) => buckets.map(({ counts }) => counts.SUCCESS ?? 0))).toContain(2);
    const columns = [
      { alias: 'flow', field: 'FLOW_ID' },
      { alias: 'n', field: 'NAMESPACE', aggregation: 'COUNT' },
    ] as const;
    const asked = {
      ...query,
      subject: 'executions',
      width: 'day',
      columns,
      conditions: [],
      sort: [],
    } as const;
    const expected = { results: [{ flow: 'hello', n: 3 }], total: 1 };
    expect(await store.aggregate({ ...asked, page: 1, size: 10 })).toEqual(expected);
    const logs = { ...asked, subject: 'logs', columns, page: 1, size: 10 } as const;
    expect(await store.aggregate(logs)).toEqual({ results: [{ flow: expect.any(String), n: 3 }], total: 1 });
    const slow = [{ type: 'EQUAL_TO', field: 'FLOW_REVISION', value: 1 }] as const;
    expect(await store.aggregate({ ...asked, conditions: slow, page: 1, size: 10 })).toEqual(expected);
    await close();
  });

  it('[S2-7o.11] count logs per level, from a level on, of a namespace or a flow', async () => {
    const { store, close } = await open();
    const logs = [
      aLog({ at: start, level: 'TRACE', namespace: 'a', flowId: 'x' }),
      aLog({ at: start + day, level: 'INFO', namespace: 'a', flowId: 'x' }),
      aLog({ at: start + day, level: 'ERROR', namespace: 'a.b', flowId: 'y', message: 'disk full' }),
      aLog({ at: start + day + 1, level: 'ERROR', namespace: 'c', flowId: 'y' }),
    ];
    await store.commit(logs.map((log) => ({ op: 'log.insert', log })));
    const ask = async (...filters: Filter[]) => {
      const query = { from: start - 1, to: start + 2 * day, filters, width: 'day', timeZone: 'UTC' } as const;
      const [series] = await store.logStatistics(query);
      return series?.buckets.map(({ counts }) => counts);
    };
    expect(await ask()).toEqual([{ TRACE: 1 }, { INFO: 1, ERROR: 2 }, {}]);
    expect(await ask(filter('level', 'EQUALS', 'INFO'))).toEqual([{}, { INFO: 1, ERROR: 2 }, {}]);
    expect(await ask(filter('namespace', 'STARTS_WITH', 'a'))).toEqual([
      { TRACE: 1 },
      { INFO: 1, ERROR: 1 },
      {},
    ]);
    expect(await ask(filter('flowId', 'EQUALS', 'y'))).toEqual([{}, { ERROR: 2 }, {}]);
    expect(await ask(filter('q', 'EQUALS', 'disk'))).toEqual([{}, { ERROR: 1 }, {}]);
    await close();
  });

  it('[S2-7o.10] find the execution of each flow that ended last, and the one that started last', async () => {
    const { store, close } = await open();
    const flow = (id: string, at: number, length: number | undefined) =>
      anExecution({
        id,
        namespace: 'n',
        flowId: 'f',
        start: at,
        ...(length === undefined ? { state: 'RUNNING' } : { state: 'SUCCESS', end: at + length }),
      });
    const other = anExecution({ id: 'other', namespace: 'n', flowId: 'g', start, state: 'CREATED' });
    for (const execution of [
      flow('long', start, 9_000),
      flow('short', start + 10, 10),
      flow('running', start + 20, undefined),
      other,
    ]) {
      await store.commit([insert(execution)]);
    }
    const flows = ['f', 'g', 'none'].map((id) => ({ namespace: 'n', id }));
    const ids = async (by: 'end' | 'start') =>
      (await store.latestExecutions(flows, by)).map(({ execution }) => execution.id).sort();
    expect(await ids('end')).toEqual(['long']);
    expect(await ids('start')).toEqual(['other', 'running']);
    await store.commit([{ op: 'execution.delete', id: 'long', logs: true, metrics: true }]);
    expect(await ids('end')).toEqual(['short']);
    expect(await store.latestExecutions([], 'end')).toEqual([]);
    await close();
  });

  it('count flows and their triggers, in all and in a namespace', async () => {
    const { store, close } = await open();
    const flows = [
      aFlow({ namespace: 'a' }),
      aFlow({ namespace: 'a.b' }),
      aFlow({ namespace: 'a', deleted: true }),
    ];
    await store.commit(flows.map((flow) => ({ op: 'flow.insert', flow, expectRevision: 0 })));
    await store.commit(
      flows.map(({ namespace, id }) => ({ op: 'trigger.put', trigger: aTrigger({ namespace, flowId: id }) })),
    );
    expect(await store.countFlowsAndTriggers()).toEqual({ flows: 2, triggers: 2 });
    expect(await store.countFlowsAndTriggers('a')).toEqual({ flows: 1, triggers: 1 });
    await close();
  });
}
