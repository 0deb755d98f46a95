import { describe, expect, it } from 'vitest';
import { bucketFor } from '../../actions/aggregateMetric.ts';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer, taskRunsOf } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const day = 86_400_000;

it.each([
  [366 * day, 'month'],
  [365 * day, 'week'],
  [181 * day, 'week'],
  [180 * day, 'day'],
  [day + 1, 'day'],
  [day, 'hour'],
  [6 * 3_600_000 + 1, 'hour'],
  [6 * 3_600_000, 'minute'],
  [0, 'minute'],
])('a window of %d ms is cut by %s buckets', (windowMs, bucket) => {
  expect(bucketFor(windowMs)).toBe(bucket);
});

describe.each(databases)('metrics on $name', (database) => {
  const shared = sharedServer(database);
  const get = async (path: string) => shared().call('GET', `/metrics/${path}`);

  it('[S2-7l.6] lists the metrics of an execution', async () => {
    const [server, id] = [shared(), anId()];
    const task = (name: string) => `  - id: ${name}\n    type: core.debug.Return\n    format: "1234"\n`;
    await server.saveFlow(aFlow(id, `tasks:\n${task('a')}${task('b')}`));
    const execution = await server.run(id);
    await server.product.logs.flush();
    const { body } = await get(`${execution.id}?size=25&sort=name:asc`);
    expect(body.total).toBe(4);
    const results = body.results as Record<string, unknown>[];
    expect(results.map(({ name }) => name)).toEqual(['duration', 'duration', 'length', 'length']);
    expect(results[2]).toMatchObject({
      namespace: 'company.team',
      flowId: id,
      executionId: execution.id,
      type: 'counter',
      value: 4,
      deleted: false,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const b = taskRunsOf(execution)[1];
    expect((await get(`${execution.id}?taskRunId=${b?.id}`)).body.total).toBe(2);
    expect((await get(`${execution.id}?taskId=a&taskRunId=${b?.id}`)).body.results).toMatchObject([
      { taskId: 'a' },
      { taskId: 'a' },
    ]);
    expect((await get('unknown')).body).toEqual({ results: [], total: 0 });
    expect((await get(`${execution.id}?sort=data:asc`)).status).toBe(422);
    expect((await get(`names/company.team/${id}`)).body).toEqual(['duration', 'length']);
    expect((await get(`names/company.team/${id}/a`)).body).toEqual(['duration', 'length']);
    expect((await get(`tasks/company.team/${id}`)).body).toEqual(['a', 'b']);
  });

  it('[S2-7l.7] [S2-7l.8] an unknown flow has no names and no tasks', async () => {
    for (const path of ['names/no/flow', 'names/no/flow/task', 'tasks/no/flow']) {
      const { status, body } = await get(path);
      expect([path, status, body]).toEqual([path, 200, []]);
    }
  });

  it('[S2-7l.9] aggregates over every bucket of the window', async () => {
    const [server, id] = [shared(), anId()];
    const at = (iso: string) => Date.parse(iso);
    const metric = (iso: string, value: number, taskId: string) => ({
      op: 'metric.insert' as const,
      metric: {
        tenantId: 'main',
        namespace: 'company.team',
        flowId: id,
        taskId,
        type: 'counter' as const,
        name: 'rows',
        value,
        at: at(iso),
      },
    });
    await server.product.store.commit([
      metric('2025-03-01T10:00:00Z', 1, 'a'),
      metric('2025-03-01T23:59:59Z', 3, 'b'),
      metric('2025-03-03T00:00:00Z', 10, 'a'),
      metric('2024-05-31T00:00:00Z', 100, 'a'),
    ]);
    const values = async (query: string, task = '') => {
      const { body } = await get(`aggregates/company.team/${id}${task}/rows?${query}`);
      const { groupBy, aggregations } = body as {
        groupBy: string;
        aggregations: { date: string; value: number }[];
      };
      return [groupBy, aggregations.map(({ date, value }) => [date.slice(0, 16), value])];
    };
    const days = 'startDate=2025-03-01T00:00:00Z&endDate=2025-03-04T00:00:00Z';
    expect(await values(days)).toEqual([
      'day',
      [
        ['2025-03-01T00:00', 4],
        ['2025-03-02T00:00', 0],
        ['2025-03-03T00:00', 10],
      ],
    ]);
    const first = async (aggregation: string) => {
      const [, list] = await values(`${days}&aggregation=${aggregation}`);
      return (list as [string, number][])[0]?.[1];
    };
    expect([await first('sum'), await first('avg'), await first('min'), await first('max')]).toEqual([
      4, 2, 1, 3,
    ]);
    expect((await values(days, '/b'))[1]).toContainEqual(['2025-03-01T00:00', 3]);
    const [, weeks] = await values('startDate=2024-09-01T00:00:00Z&endDate=2025-03-05T00:00:00Z');
    expect((weeks as unknown[]).slice(-2)).toEqual([
      ['2025-02-24T00:00', 4],
      ['2025-03-03T00:00', 10],
    ]);
    const [months, list] = await values('startDate=2024-03-02T00:00:00Z&endDate=2025-03-04T00:00:00Z');
    expect(months).toBe('month');
    expect(list).toHaveLength(13);
    expect(list).toContainEqual(['2024-05-01T00:00', 100]);
    expect(list).toContainEqual(['2025-03-01T00:00', 14]);
    const [minutes, last] = await values('startDate=2025-03-01T09:59:30Z&endDate=2025-03-01T10:01:00Z');
    expect([minutes, last]).toEqual([
      'minute',
      [
        ['2025-03-01T09:59', 0],
        ['2025-03-01T10:00', 1],
      ],
    ]);
    const status = async (query: string) => (await get(`aggregates/company.team/${id}/rows?${query}`)).status;
    expect(await status('')).toBe(200);
    expect(await status('aggregation=median')).toBe(422);
    expect(await status('startDate=soon')).toBe(422);
    expect(await status('startDate=2025-03-02T00:00:00Z&endDate=2025-03-01T00:00:00Z')).toBe(422);
    expect(await status('startDate=0001-01-01T00:00:00Z&endDate=9999-01-01T00:00:00Z')).toBe(422);
  });
});
