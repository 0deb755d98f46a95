import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, stateOf } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

type Bucket = {
  startDate: string;
  groupBy: string;
  duration: { count: number; sum?: string };
  executionCounts: Record<string, number>;
};
const total = (buckets: Bucket[], state: string) =>
  buckets.reduce((sum, { executionCounts }) => sum + (executionCounts[state] ?? 0), 0);

const flow = (namespace: string, id: string, task: string) =>
  `id: ${id}\nnamespace: ${namespace}\ntasks:\n  - id: t\n    ${task}\n`;
const log = 'type: core.log.Log\n    message: "a word"\n    level: WARN';
const fail = 'type: core.execution.Fail';

describe.each(databases)('statistics (api 7.3) on $name', (database) => {
  const shared = sharedServer(database);
  const post = async (path: string, body: unknown = {}) => {
    const answer = await shared().call('POST', path, { payload: body as object });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body as unknown;
  };
  const start = async (namespace: string, id: string) => {
    const { body } = await shared().call('POST', `/executions/${namespace}/${id}?wait=true`);
    return String(body.id);
  };
  let lastGood = '';

  beforeAll(async () => {
    await shared().saveFlow(flow('stats.a', 'good', log));
    await shared().saveFlow(flow('stats.a', 'bad', fail));
    await shared().saveFlow(
      `${flow('stats.b', 'good', log)}triggers:\n  - id: hook\n    type: core.trigger.Webhook\n    key: k\n`,
    );
    await start('stats.a', 'good');
    lastGood = await start('stats.a', 'good');
    await start('stats.a', 'bad');
    await start('stats.b', 'good');
  });

  it('[S2-7o.7] counts executions per day, with every day of the last thirty', async () => {
    const buckets = (await post('/stats/executions/daily', { namespace: 'stats' })) as Bucket[];
    expect(buckets.length).toBeGreaterThanOrEqual(31);
    expect(buckets[0]).toMatchObject({
      groupBy: 'day',
      duration: { count: 0 },
      executionCounts: { SUCCESS: 0, CANCELLED: 0 },
    });
    expect(Object.keys(buckets[0]?.executionCounts ?? {})).toHaveLength(11);
    expect([total(buckets, 'SUCCESS'), total(buckets, 'FAILED')]).toEqual([3, 1]);
    expect(buckets.at(-1)).toMatchObject({
      duration: { count: 4, sum: expect.stringMatching(/^PT/), avg: expect.any(String) },
    });
  });

  it('[S2-7o.7] days begin by the clock of the time zone that is asked for', async () => {
    const ask = async (timeZone: string) =>
      (await post('/stats/executions/daily', { namespace: 'stats', timeZone })) as Bucket[];
    const tokyo = await ask('Asia/Tokyo');
    expect(tokyo.every(({ startDate }) => startDate.endsWith('T15:00:00.000Z'))).toBe(true);
    expect(total(tokyo, 'SUCCESS')).toBe(3);
    const refused = await shared().call('POST', '/stats/executions/daily', {
      payload: { timeZone: 'Mars/Olympus' },
    });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('"Mars/Olympus" is not a time zone'),
    ]);
  });

  it('[S2-7o.7] takes the filters of the lists, in both styles, and the width of the window', async () => {
    const ask = async (body: object) => (await post('/stats/executions/daily', body)) as Bucket[];
    const now = Date.now();
    const minutes = await ask({
      startDate: new Date(now - 3_600_000).toISOString(),
      endDate: new Date(now + 60_000).toISOString(),
      namespace: 'stats.a',
      state: ['FAILED'],
    });
    expect(minutes[0]?.groupBy).toBe('minute');
    expect([total(minutes, 'SUCCESS'), total(minutes, 'FAILED')]).toEqual([0, 1]);
    const nested = await ask({
      'filters[namespace][EQUALS]': 'stats.b',
      'filters[timeRange][EQUALS]': 'PT24H',
    });
    expect([nested[0]?.groupBy, total(nested, 'SUCCESS')]).toEqual(['hour', 1]);
    const range = await ask({ flowId: 'bad', startDate: '2024-01-01T00:00:00Z' });
    expect([range[0]?.groupBy, total(range, 'FAILED')]).toEqual(['month', 1]);
    for (const body of [
      { startDate: '2025-02-01T00:00:00Z', endDate: '2025-01-01T00:00:00Z' },
      { startDate: '0001-01-01T00:00:00Z' },
      { state: 'NOPE' },
      { 'filters[nope][EQUALS]': 'x' },
    ]) {
      const { status } = await shared().call('POST', '/stats/executions/daily', { payload: body });
      expect([body, status]).toEqual([body, 422]);
    }
  });

  it('[S2-7o.8] counts them per flow, or per namespace', async () => {
    const flows = [
      { namespace: 'stats.a', id: 'good' },
      { namespace: 'stats.b', id: 'good' },
    ];
    const byFlow = (await post('/stats/executions/daily/group-by-flow', { flows })) as Record<
      string,
      Record<string, Bucket[]>
    >;
    expect(Object.keys(byFlow).sort()).toEqual(['stats.a', 'stats.b']);
    expect(Object.keys(byFlow['stats.a'] ?? {})).toEqual(['good']);
    expect(total(byFlow['stats.a']?.good ?? [], 'SUCCESS')).toBe(2);
    const byNamespace = (await post('/stats/executions/daily/group-by-flow', {
      namespace: 'stats',
      namespaceOnly: true,
    })) as typeof byFlow;
    expect(total(byNamespace['stats.a']?.['*'] ?? [], 'FAILED')).toBe(1);
  });

  it('[S2-7o.9] counts them per namespace in one number each', async () => {
    const counts = await post('/stats/executions/daily/group-by-namespace', {});
    expect(counts).toMatchObject({
      'stats.a': { counts: { SUCCESS: 2, FAILED: 1, RUNNING: 0 }, total: 3 },
      'stats.b': { total: 1 },
    });
    expect(
      Object.keys(
        (await post('/stats/executions/daily/group-by-namespace', { namespace: 'stats.b' })) as object,
      ),
    ).toEqual(['stats.b']);
    expect(await post('/stats/executions/daily/group-by-namespace', { namespace: 'stats' })).toEqual({});
  });

  it('[S2-7o.10] knows the latest execution of each flow, in both forms', async () => {
    const flows = [
      { namespace: 'stats.a', id: 'good' },
      { namespace: 'stats.a', id: 'none' },
    ];
    const ended = (await post('/stats/executions/latest/group-by-flow', { flows })) as Record<
      string,
      unknown
    >[];
    expect(ended.map((execution) => [execution.id, stateOf(execution)])).toEqual([[lastGood, 'SUCCESS']]);
    expect(await post('/stats/executions/latest/group-by-flow', {})).toEqual([]);
    expect(await post('/executions/latest', flows)).toEqual([
      {
        id: lastGood,
        namespace: 'stats.a',
        flowId: 'good',
        startDate: expect.any(String),
        status: 'SUCCESS',
      },
    ]);
  });

  it('[S2-7o.11] counts log lines by level, and task runs by state', async () => {
    const logs = (await post('/stats/logs/daily', { namespace: 'stats.a', logLevel: 'WARN' })) as {
      timestamp: string;
      counts: Record<string, number>;
    }[];
    expect(Object.keys(logs[0]?.counts ?? {})).toEqual(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR']);
    const sum = (level: string) => logs.reduce((all, { counts }) => all + (counts[level] ?? 0), 0);
    expect([sum('INFO'), sum('WARN')]).toEqual([0, 2]);
    expect(sum('ERROR')).toBeGreaterThan(0);
    const runs = (await post('/stats/taskruns/daily', { namespace: 'stats' })) as Bucket[];
    expect([total(runs, 'SUCCESS'), total(runs, 'FAILED')]).toEqual([3, 1]);
  });

  it('counts flows and triggers', async () => {
    expect(await post('/stats/summary', { namespace: 'stats.b' })).toEqual({ flows: 1, triggers: 1 });
    expect(await post('/stats/summary', { namespace: 'stats' })).toEqual({ flows: 0, triggers: 0 });
  });

  it('[S2-7o.13] lists task runs of all executions', async () => {
    const list = async (query: string) => {
      const { body } = await shared().call('GET', `/taskruns/search?${query}`);
      return body as unknown as { results: { flowId: string; state: { current: string } }[]; total: number };
    };
    const all = await list('namespace=stats&size=2');
    expect([all.results.length, all.total]).toEqual([2, 4]);
    const failed = await list('filters[namespace][STARTS_WITH]=stats&filters[state][IN]=FAILED&flowId=bad');
    expect(failed.results.map((run) => [run.flowId, run.state.current])).toEqual([['bad', 'FAILED']]);
    expect((await shared().call('GET', '/taskruns/search?filters[nope][EQUALS]=1')).status).toBe(422);
  });

  it('[S2-7o.1] says how much the instance is used', async () => {
    const { status, body } = await shared().call('GET', '/usages/all');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      uuid: shared().product.instanceId,
      flows: {
        count: 3,
        namespacesCount: 2,
        taskTypeCount: { 'core.log.Log': 2, 'core.execution.Fail': 1 },
        triggerTypeCount: { 'core.trigger.Webhook': 1 },
      },
      configurations: { repositoryType: database.name === 'SQLite' ? 'sqlite' : 'postgres' },
    });
    const { dailyExecutionsCount } = body.executions as { dailyExecutionsCount: Bucket[] };
    expect(dailyExecutionsCount).toHaveLength(2);
    expect(total(dailyExecutionsCount, 'SUCCESS')).toBe(3);
  });
});
