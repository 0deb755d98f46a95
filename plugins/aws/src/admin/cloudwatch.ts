import {
  anything,
  type Definition,
  decimal,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  integer,
  listOf,
  mapOf,
  membersAt,
  part,
  type TaskContext,
  TaskFailed,
  text,
  textAt,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Connection, connectionProperties, taskConnection } from '../client/connection.ts';
import { taskExample, triggerExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const queryProperties = {
  namespace: text().optional().describe('The namespace, such as `AWS/EC2`.'),
  metricName: text().describe('The name of the metric.'),
  dimensions: listOf(part({ name: text().describe('The name.'), value: text().describe('The value.') }))
    .optional()
    .describe('Only values with these dimensions.'),
  statistic: text()
    .default('Average')
    .describe('`Average`, `Sum`, `Minimum`, `Maximum`, `SampleCount`, or a percentile such as `p99`.'),
  periodSeconds: integer({ min: 1 }).default(60).describe('How many seconds a value stands for.'),
  window: duration().prefault('PT5M').describe('How far to look back.'),
};

const queryOutput = z.object({
  count: z.number().describe('How many values there are.'),
  series: z
    .array(z.record(z.string(), z.unknown()))
    .describe('The values in the order of time: `timestamp`, `value` and `unit`.'),
});

interface Query extends Connection {
  readonly namespace?: string | undefined;
  readonly metricName: string;
  readonly dimensions?: readonly { name: string; value: string }[] | undefined;
  readonly statistic: string;
  readonly periodSeconds: number;
  readonly window: number;
}

async function readSeries(context: TaskContext, input: Query): Promise<z.infer<typeof queryOutput>> {
  const client = await openClient(context, input, 'cloudwatch');
  const now = Date.now();
  const isPercentile = /^p\d/i.test(input.statistic);
  const list = isPercentile ? 'ExtendedStatistics' : 'Statistics';
  const dimensions = (input.dimensions ?? []).flatMap(({ name, value }, index) => [
    [`Dimensions.member.${index + 1}.Name`, name],
    [`Dimensions.member.${index + 1}.Value`, value],
  ]);
  const result = await client.query('GetMetricStatistics', {
    Namespace: input.namespace,
    MetricName: input.metricName,
    StartTime: new Date(now - input.window).toISOString(),
    EndTime: new Date(now).toISOString(),
    Period: String(input.periodSeconds),
    [`${list}.member.1`]: input.statistic,
    ...Object.fromEntries(dimensions),
  });
  const series = membersAt(result, 'Datapoints')
    .map((point) => ({
      timestamp: textAt(point, 'Timestamp') ?? '',
      value: Number(
        isPercentile ? textAt(point, 'ExtendedStatistics', 'entry', 'value') : textAt(point, input.statistic),
      ),
      unit: textAt(point, 'Unit') ?? 'None',
    }))
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  return { count: series.length, series };
}

const query = defineTask({
  type: 'aws.cloudwatch.Query',
  title: 'Read a metric of CloudWatch',
  description: 'Returns the values of a metric in a window that ends now.',
  input: () => z.object({ ...taskConnection, ...queryProperties }),
  output: queryOutput,
  sideEffects: true,
  examples: [
    taskExample('aws.cloudwatch.Query', 'Read the load of a machine.', [
      'namespace: AWS/EC2',
      'metricName: CPUUtilization',
      'dimensions:',
      '  - name: InstanceId',
      '    value: i-0123456789abcdef0',
      'window: PT1H',
    ]),
  ],
  run: (context, input) => readSeries(context, input),
});

const trigger = defineTrigger({
  type: 'aws.cloudwatch.Trigger',
  role: 'polling',
  title: 'Start when a metric of CloudWatch has values',
  description: 'Reads a metric every `interval` and starts an execution when the window has values.',
  input: () =>
    z.object({
      ...connectionProperties,
      ...queryProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
    }),
  output: queryOutput,
  examples: [
    triggerExample(
      'aws.cloudwatch.Trigger',
      'When there were errors.',
      ['namespace: AWS/Lambda', 'metricName: Errors', 'statistic: Sum', 'interval: PT5M'],
      'trigger.count',
    ),
  ],
  async poll(context, input) {
    const found = await readSeries(context, input);
    return found.count === 0 ? undefined : found;
  },
});

/** The maximum number of metrics in one request. */
const maxMetrics = 1000;

const push = defineTask({
  type: 'aws.cloudwatch.Push',
  title: 'Send values to CloudWatch',
  description: 'Stores values of metrics under a namespace.',
  input: () =>
    z.object({
      ...taskConnection,
      namespace: text().describe('The namespace.'),
      metrics: listOf(
        part({
          metricName: text().describe('The name of the metric.'),
          value: decimal().optional().describe('The value.'),
          unit: text().optional().describe('The unit, such as `Count` or `Seconds`.'),
          dimensions: mapOf(anything()).optional().describe('Dimensions by name.'),
        }),
        { min: 1 },
      ).describe('The values.'),
    }),
  output: () => z.object({ count: z.number().describe('How many values were sent.') }),
  sideEffects: true,
  examples: [
    taskExample('aws.cloudwatch.Push', 'Send a value.', [
      'namespace: Company/Orders',
      'metrics:',
      '  - metricName: rows',
      '    value: 42',
      '    unit: Count',
      '    dimensions:',
      '      country: DE',
    ]),
  ],
  async run(context, { namespace, metrics, ...connection }) {
    const client = await openClient(context, connection, 'cloudwatch');
    for (let start = 0; start < metrics.length; start += maxMetrics) {
      const form: Record<string, string | undefined> = { Namespace: namespace };
      for (const [index, metric] of metrics.slice(start, start + maxMetrics).entries()) {
        const prefix = `MetricData.member.${index + 1}`;
        if (metric.value === undefined)
          throw new TaskFailed(`The metric "${metric.metricName}" has no value.`, { retry: false });
        form[`${prefix}.MetricName`] = metric.metricName;
        form[`${prefix}.Value`] = String(metric.value);
        form[`${prefix}.Unit`] = metric.unit;
        for (const [at, [name, value]] of Object.entries(metric.dimensions ?? {}).entries()) {
          form[`${prefix}.Dimensions.member.${at + 1}.Name`] = name;
          form[`${prefix}.Dimensions.member.${at + 1}.Value`] = String(value);
        }
      }
      await client.query('PutMetricData', form);
    }
    return { count: metrics.length };
  },
});

export const cloudwatchTypes: readonly Definition[] = [query, push, trigger];
