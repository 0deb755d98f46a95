import { describe, expect, it } from 'vitest';
import type { Op } from '../port/op.ts';
import type { Subject } from './opened.ts';
import { aMetric, day, noon, unique } from './records.ts';

const hour = 3_600_000;

export function metricTests(subject: Subject): void {
  const write = (metrics: readonly Parameters<typeof aMetric>[0][]) =>
    subject().commit(metrics.map((metric): Op => ({ op: 'metric.insert', metric: aMetric(metric) })));

  describe('metrics', () => {
    it('pages the metrics of an execution; the task wins over the task run', async () => {
      const executionId = unique('e');
      await write(
        ['c', 'a', 'b'].flatMap((name, index) =>
          ['one', 'two'].map((taskId) => ({
            executionId,
            name,
            taskId,
            taskRunId: `${taskId}run`,
            value: index,
            tags: { format: 'csv' },
          })),
        ),
      );
      const search = (query: object) => subject().searchMetrics({ executionId, page: 1, size: 10, ...query });
      expect(await search({ page: 2, size: 4 })).toMatchObject({
        total: 6,
        results: [
          { name: 'b', taskId: 'one', value: 2, tags: { format: 'csv' } },
          { name: 'b', taskId: 'two' },
        ],
      });
      const sorted = await search({ taskId: 'one', sort: [{ field: 'name', descending: false }] });
      expect(sorted.results.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      expect((await search({ taskRunId: 'tworun' })).total).toBe(3);
      expect((await search({ taskId: 'one', taskRunId: 'tworun' })).results[0]?.taskId).toBe('one');
      expect((await search({ taskId: 'nobody' })).total).toBe(0);
      await expect(search({ sort: [{ field: 'data', descending: true }] })).rejects.toMatchObject({
        code: 'illegal-argument',
      });
    });

    it('lists names and tasks of exactly one flow', async () => {
      const namespace = unique('metrics');
      const flow = { namespace, flowId: 'f' };
      await write([
        { ...flow, name: 'rows', taskId: 'load' },
        { ...flow, name: 'rows', taskId: 'load' },
        { ...flow, name: 'bytes', taskId: 'load' },
        { ...flow, name: 'Ünïcode "x"', taskId: 'old' },
        { ...flow, name: 'alone' },
        { ...flow, flowId: 'g', name: 'other', taskId: 'other' },
        { namespace: `${namespace}.child`, flowId: 'f', name: 'child', taskId: 'child' },
      ]);
      const store = subject();
      expect(await store.listMetricNames(namespace, 'f')).toEqual(['alone', 'bytes', 'rows', 'Ünïcode "x"']);
      expect(await store.listMetricNames(namespace, 'f', 'load')).toEqual(['bytes', 'rows']);
      expect(await store.listMetricNames(namespace, 'unknown')).toEqual([]);
      expect(await store.listMetricTasks(namespace, 'f')).toEqual(['load', 'old']);
      expect(await store.listMetricTasks(namespace, 'unknown')).toEqual([]);
    });

    it('adds up a metric per minute, hour and day', async () => {
      const namespace = unique('metrics');
      const at = (offset: number, value: number, taskId = 'a') => ({
        namespace,
        flowId: 'f',
        name: 'rows',
        taskId,
        value,
        at: noon + offset,
      });
      await write([
        at(0, 1),
        at(59_999, 2.5, 'b'),
        at(60_000, 4),
        at(hour, -8),
        at(day, 16),
        { ...at(0, 99), name: 'other' },
      ]);
      const sum = (span: 'minute' | 'hour' | 'day', more: object = {}) =>
        subject().sumMetrics({
          namespace,
          flowId: 'f',
          name: 'rows',
          from: noon,
          to: noon + 2 * day,
          span,
          ...more,
        });
      expect(await sum('minute')).toEqual([
        { at: noon, count: 2, sum: 3.5, min: 1, max: 2.5 },
        { at: noon + 60_000, count: 1, sum: 4, min: 4, max: 4 },
        { at: noon + hour, count: 1, sum: -8, min: -8, max: -8 },
        { at: noon + day, count: 1, sum: 16, min: 16, max: 16 },
      ]);
      expect((await sum('hour')).map((entry) => entry.sum)).toEqual([7.5, -8, 16]);
      expect(await sum('day', { to: noon + day })).toEqual([
        { at: noon - 12 * hour, count: 4, sum: -0.5, min: -8, max: 4 },
      ]);
      expect((await sum('minute', { taskId: 'b' })).map((entry) => entry.sum)).toEqual([2.5]);
      expect(await sum('day', { from: noon + 2 * day, to: noon + 3 * day })).toEqual([]);
    });
  });
}
