import {
  choice,
  decimal,
  integer,
  type JsonMap,
  listOf,
  mapsIn,
  part,
  type TaskContext,
  text,
} from '@millrace/plugin-kit';
import { may, need, out, type Property, preset, type RestClient } from '@millrace/plugin-saas/rest';
import { type Connection, huaweiService, projectOf, type Types } from '../client/connection.ts';

const service = huaweiService('Cloud Eye', 'ces');

const dimension = () =>
  part({
    name: text().describe('The name, such as `instance_id`.'),
    value: text().describe('The value.'),
  });

const dimensions: Property<{ name: string; value: string }[]> = {
  schema: () => listOf(dimension()).describe('What was measured: up to four dimensions.'),
};

interface MetricValue {
  readonly metricName: string;
  readonly dimensions?: { name: string; value: string }[] | undefined;
  readonly value: number;
  readonly unit?: string | undefined;
  readonly type: string;
  readonly collectTime?: number | undefined;
  readonly ttl?: number | undefined;
}

const metrics: Property<MetricValue[]> = {
  schema: () =>
    listOf(
      part({
        metricName: text().describe('The name of the metric.'),
        dimensions: listOf(dimension()).optional().describe('What was measured.'),
        value: decimal().describe('The value.'),
        unit: text().optional().describe('The unit.'),
        type: text().default('float').describe('The type of the value: `int` or `float`.'),
        collectTime: integer()
          .optional()
          .describe('When it was measured, in milliseconds since 1970; now when absent.'),
        ttl: integer({ min: 1 })
          .optional()
          .describe('How long the value is kept, in seconds; two days when absent.'),
      }),
    ).describe('The values.'),
};

/** Cloud Eye takes values of the last three days only, and keeps them for a week at most. */
const defaultTtlSeconds = 172_800;

const push = service.task({
  type: 'ces.Push',
  title: 'Report metrics to Cloud Eye',
  description: 'Adds values of your own metrics.',
  properties: { namespace: need.text('The namespace of the metrics, such as `SHOP.orders`.'), metrics },
  output: { count: out.integer('How many values were reported.') },
  metrics: [{ name: 'ces.push.count', type: 'counter', description: 'How many values were reported.' }],
  run: async (client, input, context) => {
    const project = await projectOf(context, input);
    await client.send({
      method: 'POST',
      path: `/V1.0/${project}/metric-data`,
      body: input.metrics.map(
        ({ metricName, dimensions: about = [], value, unit, type, collectTime, ttl }) => ({
          metric: { namespace: input.namespace, metric_name: metricName, dimensions: about },
          ttl: ttl ?? defaultTtlSeconds,
          collect_time: collectTime ?? Date.now(),
          type,
          value,
          unit,
        }),
      ),
    });
    context.metric({ name: 'ces.push.count', type: 'counter', value: input.metrics.length });
    return { count: input.metrics.length };
  },
  example: {
    namespace: 'SHOP.orders',
    metrics: [
      {
        metricName: 'open',
        dimensions: [{ name: 'shop', value: 'berlin' }],
        value: 17,
        unit: 'count',
        type: 'int',
      },
    ],
  },
});

const periods = {
  RAW: 1,
  ONE_MINUTE: 60,
  FIVE_MINUTES: 300,
  TWENTY_MINUTES: 1200,
  ONE_HOUR: 3600,
  FOUR_HOURS: 14_400,
  ONE_DAY: 86_400,
} as const;

const queryProperties = {
  namespace: need.text('The namespace, such as `SYS.ECS`.'),
  metricName: need.text('The name of the metric.'),
  dimensions,
  statistic: preset.choice(
    ['AVERAGE', 'MAX', 'MIN', 'SUM', 'VARIANCE'],
    'AVERAGE',
    'How the values of a period are combined.',
  ),
  period: preset.choice(
    ['RAW', 'ONE_MINUTE', 'FIVE_MINUTES', 'TWENTY_MINUTES', 'ONE_HOUR', 'FOUR_HOURS', 'ONE_DAY'],
    'FIVE_MINUTES',
    'The length of a period.',
  ),
  window: preset.duration('PT1H', 'How far back the values go.'),
};

interface Query extends Connection {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensions: { name: string; value: string }[];
  readonly statistic: string;
  readonly period: keyof typeof periods;
  readonly window: number;
}

async function readPoints(client: RestClient, input: Query, context: TaskContext): Promise<JsonMap[]> {
  const project = await projectOf(context, input);
  const filter = input.statistic.toLowerCase();
  const now = Date.now();
  const { datapoints } = await client.ask({
    path: `/V1.0/${project}/metric-data`,
    query: {
      namespace: input.namespace,
      metric_name: input.metricName,
      ...Object.fromEntries(
        input.dimensions.map(({ name, value }, index) => [`dim.${index}`, `${name},${value}`]),
      ),
      from: now - input.window,
      to: now,
      period: periods[input.period],
      filter,
    },
  });
  return mapsIn(datapoints).map((point) => ({
    timestamp: new Date(Number(point.timestamp)).toISOString(),
    value: point[filter],
    ...(point.unit !== undefined && { unit: point.unit }),
  }));
}

const seriesOutput = {
  count: out.integer('How many values there are.'),
  series: out.maps('The values, each with `timestamp`, `value` and `unit`.'),
};

const queryExample = {
  namespace: 'SYS.ECS',
  metricName: 'cpu_util',
  dimensions: [{ name: 'instance_id', value: 'b5d7b7a3-681d-4c08-8e32-f14640b3e12e' }],
};

const query = service.task({
  type: 'ces.Query',
  title: 'Read a metric of Cloud Eye',
  description: 'Reads the values of a metric up to now.',
  properties: queryProperties,
  output: seriesOutput,
  run: async (client, input, context) => {
    const series = await readPoints(client, input, context);
    return { count: series.length, series };
  },
  example: queryExample,
});

const operators = {
  GREATER_THAN: (value: number, limit: number) => value > limit,
  GREATER_THAN_OR_EQUAL: (value: number, limit: number) => value >= limit,
  LESS_THAN: (value: number, limit: number) => value < limit,
  LESS_THAN_OR_EQUAL: (value: number, limit: number) => value <= limit,
  EQUAL: (value: number, limit: number) => value === limit,
} as const;

const trigger = service.trigger({
  type: 'ces.Trigger',
  title: 'Start when a metric of Cloud Eye passes a limit',
  description:
    'Reads a metric every `interval` and starts an execution with the values that pass `threshold`, or with all values when there is no threshold. A value starts one execution only.',
  interval: 'PT5M',
  properties: {
    ...queryProperties,
    threshold: may.decimal('The limit; without it every new value counts.'),
    comparisonOperator: {
      schema: () =>
        choice(['GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL', 'EQUAL'])
          .default('GREATER_THAN')
          .describe('How values are compared with the limit.'),
    } satisfies Property<keyof typeof operators>,
  },
  output: seriesOutput,
  poll: async (client, input, context) => {
    const seen = typeof context.memory === 'string' ? context.memory : '';
    const { threshold, comparisonOperator } = input;
    const series = (await readPoints(client, input, context)).filter(
      ({ timestamp, value }) =>
        String(timestamp) > seen &&
        (threshold === undefined || operators[comparisonOperator](Number(value), threshold)),
    );
    const newest = series.map(({ timestamp }) => String(timestamp)).reduce((a, b) => (a > b ? a : b), seen);
    if (newest !== '') context.remember(newest);
    return series.length === 0 ? undefined : { count: series.length, series };
  },
  example: { ...queryExample, threshold: 80, interval: 'PT5M' },
});

export const cesTypes: Types = [push, query, trigger];
