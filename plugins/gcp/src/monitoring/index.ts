import {
  choice,
  type Definition,
  decimal,
  duration,
  listOf,
  mapOf,
  part,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import {
  type Cloud,
  defineGcpTask,
  defineGcpTrigger,
  taskExample,
  triggerExample,
} from '../google/define.ts';
import { dropMissing, type Json } from '../google/json.ts';

const seriesUrl = async ({ project }: Cloud): Promise<string> =>
  `https://monitoring.googleapis.com/v3/projects/${segment(await project())}/timeSeries`;

/** The maximum number of series in one request. */
const seriesAtOnce = 200;

const push = defineGcpTask({
  type: 'gcp.monitoring.Push',
  title: 'Write metrics to Cloud Monitoring',
  description:
    'Writes one point for each metric, at the time of the task. Custom metrics start with `custom.googleapis.com/`.',
  properties: {
    metrics: listOf(
      part({
        metricType: text().optional().describe('The type, such as `custom.googleapis.com/orders`.'),
        value: decimal().optional().describe('The value.'),
        metricKind: choice(['GAUGE', 'CUMULATIVE', 'DELTA'])
          .default('GAUGE')
          .describe('What the value means: now, or since the start of `window`.'),
        labels: mapOf(text()).optional().describe('Labels of the metric.'),
      }),
    )
      .optional()
      .describe('The metrics.'),
    window: duration()
      .prefault('PT1M')
      .describe('How far back the values of `CUMULATIVE` and `DELTA` metrics reach.'),
  },
  output: () => z.object({ count: z.number().describe('How many points were written.') }),
  examples: [
    taskExample(
      'gcp.monitoring.Push',
      'Write a value.',
      'metrics:\n  - metricType: custom.googleapis.com/orders\n    value: 42\n    labels:\n      shop: berlin',
    ),
  ],
  async run(cloud, { metrics = [], window }) {
    const end = Date.now();
    const endTime = new Date(end).toISOString();
    const project = await cloud.project();
    const timeSeries = metrics.map(({ metricType, value, metricKind, labels }) => {
      if (!metricType || value === undefined)
        throw new TaskFailed('Each of "metrics" needs "metricType" and "value".', { retry: false });
      return {
        metric: dropMissing({ type: metricType, labels }),
        resource: { type: 'global', labels: { project_id: project } },
        metricKind,
        valueType: 'DOUBLE',
        points: [
          {
            interval:
              metricKind === 'GAUGE'
                ? { endTime }
                : { startTime: new Date(end - window).toISOString(), endTime },
            value: { doubleValue: value },
          },
        ],
      };
    });
    const url = await seriesUrl(cloud);
    for (let from = 0; from < timeSeries.length; from += seriesAtOnce)
      await cloud.google.post(url, { timeSeries: timeSeries.slice(from, from + seriesAtOnce) });
    return { count: timeSeries.length };
  },
});

const queryProperties = {
  filter: text().describe(
    'The filter, such as `metric.type = "compute.googleapis.com/instance/cpu/utilization"`.',
  ),
  window: duration().prefault('PT5M').describe('How far back to look.'),
};

const queryOutput = () =>
  z.object({
    count: z.number().describe('How many series were found.'),
    series: z
      .array(z.record(z.string(), z.unknown()))
      .describe('The series with their metric, resource and points.'),
  });

async function find(cloud: Cloud, { filter, window }: { readonly filter: string; readonly window: number }) {
  const end = Date.now();
  const query = {
    filter,
    'interval.startTime': new Date(end - window).toISOString(),
    'interval.endTime': new Date(end).toISOString(),
  };
  const series: Json[] = [];
  for await (const each of cloud.google.list({ url: await seriesUrl(cloud), query }, 'timeSeries'))
    series.push(each);
  return { count: series.length, series: series.map((each) => ({ ...each })) };
}

const example = 'filter: metric.type = "compute.googleapis.com/instance/cpu/utilization"\nwindow: PT10M';

const query = defineGcpTask({
  type: 'gcp.monitoring.Query',
  title: 'Read metrics of Cloud Monitoring',
  description: 'Returns the series that match a filter, with their points of the last `window`.',
  properties: queryProperties,
  output: queryOutput,
  examples: [taskExample('gcp.monitoring.Query', 'Read the load of all machines.', example)],
  run: (cloud, input) => find(cloud, input),
});

const trigger = defineGcpTrigger({
  type: 'gcp.monitoring.Trigger',
  title: 'Start when Cloud Monitoring has metrics',
  description:
    'Polls for series every `interval`, and starts an execution when there is one with points in the last `window`.',
  properties: queryProperties,
  output: queryOutput,
  examples: [
    triggerExample(
      'gcp.monitoring.Trigger',
      'When there are errors.',
      'filter: metric.type = "custom.googleapis.com/errors"\ninterval: PT5M',
      '{{ trigger.count }}',
    ),
  ],
  async poll(cloud, input) {
    const found = await find(cloud, input);
    return found.count === 0 ? undefined : found;
  },
});

export const monitoringTypes: readonly Definition[] = [push, query, trigger];
