import { formatDuration } from '@millrace/engine';
import {
  anything,
  type Definition,
  defineTask,
  defineTrigger,
  dropMissing,
  duration,
  fixed,
  integer,
  listOf,
  mapOf,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskExample, triggerExample } from '../client/example.ts';
import { type Identity, identityProperties } from '../client/identity.ts';
import { Management, resourcePath } from './management.ts';

const queryProperties = {
  endpoint: text().describe(
    'The metrics endpoint of the region, such as `https://westeurope.metrics.monitor.azure.com`.',
  ),
  window: duration().prefault('PT5M').describe('The time range before now.'),
  aggregations: listOf(text())
    .optional()
    .describe(
      'The aggregations, such as `Average`, `Total` and `Maximum`; the default of a metric when absent.',
    ),
  filter: text().optional().describe("A filter for dimensions, such as `ApiName eq 'GetBlob'`."),
  top: integer({ min: 1 }).optional().describe('The maximum number of time series per resource.'),
  orderBy: text().optional().describe('The order of the time series, such as `average desc`.'),
  rollupBy: text().optional().describe('The dimensions to roll up, separated by commas.'),
};

const resourceIds = () =>
  listOf(text(), { min: 1 }).describe('The resources, all of one subscription and region.');
const metricNames = () => listOf(text(), { min: 1 }).describe('The names of the metrics.');
const metricsNamespace = () =>
  text().describe('The namespace of the metrics, such as `Microsoft.Storage/storageAccounts`.');

const point = z.record(z.string(), z.unknown());
const Series = z.looseObject({
  metadatavalues: z
    .array(z.looseObject({ name: z.looseObject({ value: z.string() }), value: z.string().nullish() }))
    .nullish(),
  data: z.array(point).nullish(),
});
const Metric = z.looseObject({
  name: z.looseObject({ value: z.string() }),
  unit: z.string().nullish(),
  timeseries: z.array(Series).nullish(),
});
const Answer = z.object({
  values: z
    .array(
      z.looseObject({
        resourceid: z.string().nullish(),
        resourceregion: z.string().nullish(),
        namespace: z.string().nullish(),
        interval: z.string().nullish(),
        value: z.array(Metric).default([]),
      }),
    )
    .default([]),
});

const queryOutput = z.object({
  resources: z.number().describe('The number of resources.'),
  metrics: z.number().describe('The number of metrics of all resources.'),
  datapoints: z.number().describe('The number of data points that have a value.'),
  results: z
    .array(z.record(z.string(), z.unknown()))
    .describe(
      'A map per resource: `resourceId`, `region`, `namespace`, `interval` and `metrics` with `name`, `unit` and `timeseries`, whose `datapoints` have `timeStamp` and the aggregations.',
    ),
});

interface QueryInput extends Identity {
  readonly endpoint: string;
  readonly resourceIds: readonly string[];
  readonly metricNames: readonly string[];
  readonly metricsNamespace: string;
  readonly window: number;
  readonly granularity?: number | undefined;
  readonly aggregations?: readonly string[] | undefined;
  readonly filter?: string | undefined;
  readonly top?: number | undefined;
  readonly orderBy?: string | undefined;
  readonly rollupBy?: string | undefined;
  readonly subscriptionId?: string | undefined;
}

/** The service reads at most this many resources in one request. */
const resourcesPerRequest = 50;

async function query(context: TaskContext, input: QueryInput) {
  const client = new Management(
    context,
    input,
    'Azure Monitor',
    'https://metrics.monitor.azure.com/.default',
  );
  const subscription = input.subscriptionId ?? subscriptionOf(input.resourceIds[0] ?? '');
  const now = Date.now();
  const parameters = dropMissing({
    'api-version': '2024-02-01',
    starttime: new Date(now - input.window).toISOString(),
    endtime: new Date(now).toISOString(),
    metricnamespace: input.metricsNamespace,
    metricnames: input.metricNames.join(','),
    interval: input.granularity === undefined ? undefined : stepOf(input.granularity),
    aggregation:
      input.aggregations && input.aggregations.length > 0 ? input.aggregations.join(',') : undefined,
    top: input.top === undefined ? undefined : String(input.top),
    orderby: input.orderBy,
    filter: input.filter,
    rollupby: input.rollupBy,
  });
  const found: z.infer<typeof Answer>['values'] = [];
  for (let at = 0; at < input.resourceIds.length; at += resourcesPerRequest) {
    const url = `${input.endpoint.replace(/\/+$/, '')}${resourcePath('subscriptions', subscription)}/metrics:getBatch?${new URLSearchParams(parameters)}`;
    const resourceids = input.resourceIds.slice(at, at + resourcesPerRequest);
    const { values } = await client.json(
      { action: 'the metrics query', method: 'POST', url },
      { resourceids },
      Answer,
    );
    found.push(...values);
  }
  const series = found.flatMap(({ value }) => value.flatMap(({ timeseries }) => timeseries ?? []));
  return {
    resources: found.length,
    metrics: found.reduce((sum, { value }) => sum + value.length, 0),
    datapoints: series.reduce((sum, { data }) => sum + (data ?? []).filter(hasValue).length, 0),
    results: found.map((each) => ({
      ...dropMissing({
        resourceId: each.resourceid,
        region: each.resourceregion,
        namespace: each.namespace,
        interval: each.interval,
      }),
      metrics: each.value.map(toMetric),
    })),
  };
}

/** The service wants a day as P1D. */
const stepOf = (ms: number): string => (ms % 86_400_000 === 0 ? `P${ms / 86_400_000}D` : formatDuration(ms));

const toMetric = ({ name, unit, timeseries }: z.infer<typeof Metric>) => ({
  name: name.value,
  ...dropMissing({ unit }),
  timeseries: (timeseries ?? []).map(({ metadatavalues, data }) => ({
    metadata: Object.fromEntries((metadatavalues ?? []).map((each) => [each.name.value, each.value])),
    datapoints: data ?? [],
  })),
});

/** The service returns a point for each step, also when nothing was measured. */
const hasValue = (each: z.infer<typeof point>): boolean =>
  Object.entries(each).some(([name, value]) => name.toLowerCase() !== 'timestamp' && value !== null);

function subscriptionOf(resourceId: string): string {
  const found = /^\/subscriptions\/([^/]+)\//i.exec(resourceId)?.[1];
  if (found === undefined)
    throw new TaskFailed(
      `"resourceIds" must hold ids such as /subscriptions/…/resourceGroups/…/providers/…, got "${resourceId}".`,
      { retry: false },
    );
  return found;
}

const exampleLines = [
  'endpoint: https://westeurope.metrics.monitor.azure.com',
  'resourceIds:',
  '  - /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/data/providers/Microsoft.Storage/storageAccounts/company',
  'metricNames:',
  '  - Transactions',
  'metricsNamespace: Microsoft.Storage/storageAccounts',
];

const queryTask = defineTask({
  type: 'azure.monitoring.Query',
  title: 'Query metrics of Azure Monitor',
  description: 'Reads metrics of resources in one region for the time range before now.',
  input: () =>
    z.object({
      ...identityProperties,
      ...queryProperties,
      resourceIds: resourceIds(),
      metricNames: metricNames(),
      metricsNamespace: metricsNamespace(),
      interval: duration().optional().describe('The granularity of the data points, such as `PT1M`.'),
    }),
  output: queryOutput,
  sideEffects: true,
  examples: [
    taskExample('azure.monitoring.Query', 'Read the transactions of the last hour.', [
      ...exampleLines,
      'window: PT1H',
      'aggregations:',
      '  - Total',
    ]),
  ],
  run: (context, { interval, ...input }) => query(context, { ...input, granularity: interval }),
});

const trigger = defineTrigger({
  type: 'azure.monitoring.Trigger',
  role: 'polling',
  title: 'Start when a metric of Azure Monitor has data',
  description:
    'Queries metrics every `interval` and starts an execution when the time range `window` has at least one data point. A window longer than the interval returns the same point again.',
  input: () =>
    z.object({
      ...identityProperties,
      ...queryProperties,
      subscriptionId: text().optional().describe('The subscription; that of the first resource when absent.'),
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      granularity: duration().optional().describe('The granularity of the data points, such as `PT1M`.'),
      resourceIds: resourceIds().optional(),
      metricNames: metricNames().optional(),
      metricsNamespace: metricsNamespace().optional(),
    }),
  output: queryOutput,
  check: (properties) =>
    ['resourceIds', 'metricNames', 'metricsNamespace']
      .filter((name) => properties[name] === undefined)
      .map((path) => ({ severity: 'error', path, message: 'must be given' })),
  examples: [
    triggerExample('azure.monitoring.Trigger', 'React to transactions.', exampleLines, 'trigger.datapoints'),
  ],
  async poll(context, { interval: _, resourceIds, metricNames, metricsNamespace, ...input }) {
    if (resourceIds === undefined || metricNames === undefined || metricsNamespace === undefined)
      throw new TaskFailed('"resourceIds", "metricNames" and "metricsNamespace" must be given.', {
        retry: false,
      });
    const found = await query(context, { ...input, resourceIds, metricNames, metricsNamespace });
    return found.datapoints === 0 ? undefined : found;
  },
});

const push = defineTask({
  type: 'azure.monitoring.Push',
  title: 'Send custom metrics to Azure Monitor',
  description: 'Sends one custom metric with its series, in the format of the custom metrics API.',
  input: () =>
    z.object({
      ...identityProperties,
      endpoint: text().describe(
        'The endpoint of the region, such as `https://westeurope.monitoring.azure.com`.',
      ),
      path: text().describe('The path of the resource, which ends with `/metrics`.'),
      metrics: mapOf(anything()).describe('The metric: `time` and `data.baseData`.'),
    }),
  output: () => z.object({ body: z.record(z.string(), z.unknown()).describe('The response.') }),
  sideEffects: true,
  examples: [
    taskExample('azure.monitoring.Push', 'Send the length of a queue.', [
      'endpoint: https://westeurope.monitoring.azure.com',
      'path: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/data/providers/Microsoft.Storage/storageAccounts/company/metrics',
      'metrics:',
      '  time: "{{ now() }}"',
      '  data:',
      '    baseData:',
      '      metric: QueueDepth',
      '      namespace: Orders',
      '      series:',
      '        - min: 3',
      '          max: 20',
      '          sum: 28',
      '          count: 3',
    ]),
  ],
  async run(context, { endpoint, path, metrics, ...identity }) {
    const client = new Management(
      context,
      identity,
      'Azure Monitor',
      'https://monitoring.azure.com/.default',
    );
    const url = `${endpoint.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
    const request = { action: 'the metric', method: 'POST', url, once: true };
    return { body: await client.json(request, metrics, z.record(z.string(), z.unknown())) };
  },
});

export const monitoringTypes: readonly Definition[] = [queryTask, trigger, push];
