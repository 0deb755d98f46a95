import {
  type FetchType,
  fetchRows,
  type JsonMap,
  mapIn,
  mapsIn,
  type TaskContext,
  textOf,
} from '@millrace/plugin-kit';
import { basic } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const login = {
  username: may.text('The user, for Basic authentication.'),
  password: may.secret('The password of the user.'),
  headers: may.textMap('More headers of the request.'),
};

const servers = (url: ReturnType<typeof preset.text>) =>
  defineService({
    name: 'Prometheus',
    prefix: 'prometheus',
    properties: { ...login, ...requestOptions, url },
    baseUrl: ({ url: address }) => address,
    auth: ({ username, password }) => (username === undefined ? undefined : basic(username, password ?? '')),
    headers: ({ headers }) => headers ?? {},
    example: {},
  });

const prometheus = servers(preset.text('http://localhost:9090', 'The address of Prometheus.'));
const gateway = servers(preset.text('http://localhost:9091', 'The address of the Pushgateway.'));

const fetchTypes = preset.fetchType('NONE', 'samples');
const queryProperties = {
  query: need.text('The query, in PromQL.'),
  time: may.text('The time of the query, as a date or as seconds; now when absent.'),
  fetchType: fetchTypes,
};
const queryOutput = {
  size: out.integer('How many samples were kept.'),
  total: out.integer('How many samples there are.'),
  metrics: out.maps('The samples, with `FETCH`: `labels`, `timestamp` and `value`.'),
  metric: out.map('The first sample, with `FETCH_ONE`.'),
  uri: out.text('A file with one sample a line, with `STORE`.'),
  resultType: out.text('`vector`, `matrix`, `scalar` or `string`.'),
};

interface Question {
  readonly query: string;
  readonly time?: string | undefined;
  readonly fetchType: FetchType;
}

async function ask(
  client: RestClient,
  context: TaskContext,
  { query, time, fetchType }: Question,
): Promise<JsonMap> {
  const { data } = await client.ask({ path: '/api/v1/query', query: { query, time } });
  const { resultType, result } = mapIn(data);
  const samples = samplesOf(textOf(resultType), result);
  const fetched = await fetchRows(context, fetchType, samples);
  return {
    size: fetched.size,
    total: samples.length,
    metrics: fetched.rows,
    metric: fetched.row,
    uri: fetched.uri,
    resultType,
  };
}

/** The samples of any kind of result; the series of a matrix are concatenated. */
function samplesOf(kind: string | undefined, result: unknown): Record<string, unknown>[] {
  const sample = (labels: unknown, pair: unknown) => {
    const [timestamp, value] = Array.isArray(pair) ? pair : [];
    return { labels, timestamp, value };
  };
  if (kind === 'scalar' || kind === 'string') return [sample({}, result)];
  return mapsIn(result).flatMap(({ metric, value, values }) =>
    Array.isArray(values) ? values.map((pair: unknown) => sample(metric, pair)) : [sample(metric, value)],
  );
}

const query = prometheus.task({
  type: 'Query',
  title: 'Query Prometheus',
  description: 'Runs an instant query and returns its samples.',
  properties: queryProperties,
  output: queryOutput,
  run: (client, input, context) => ask(client, context, input),
  example: { url: 'http://prometheus.example.com:9090', query: 'up == 0', fetchType: 'FETCH' },
});

const trigger = prometheus.trigger({
  type: 'Trigger',
  title: 'Start an execution when a query of Prometheus has a result',
  description:
    'Runs a query every `interval` and starts an execution when there are samples. Write the condition into the query, such as `up == 0`.',
  interval: 'PT60S',
  properties: queryProperties,
  output: queryOutput,
  poll: async (client, input, context) => {
    const found = await ask(client, context, input);
    return found.total === 0 ? undefined : found;
  },
  example: { url: 'http://prometheus.example.com:9090', query: 'up == 0', fetchType: 'FETCH' },
});

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** Metrics in the text format of Prometheus. */
function toText(metrics: readonly JsonMap[]): string {
  return metrics
    .map(({ name, value, labels }) => {
      const pairs = Object.entries(mapIn(labels)).map(([label, text]) => `${label}=${quoted(String(text))}`);
      return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;
    })
    .join('');
}

/** A path segment that groups metrics; the Pushgateway accepts a slash only in base64. */
const grouping = (label: string, value: string): string =>
  value.includes('/') || value === ''
    ? `/${label}@base64/${Buffer.from(value).toString('base64url') || '='}`
    : `/${label}/${encodeURIComponent(value)}`;

const push = gateway.task({
  type: 'Push',
  title: 'Push metrics to a Pushgateway of Prometheus',
  description:
    'Sends metrics to the Pushgateway, which Prometheus scrapes. They replace metrics of the same names in their group.',
  properties: {
    job: need.text('The job, which groups the metrics.'),
    instance: may.text('The instance, which groups the metrics too.'),
    metrics: need.maps('The metrics: `name`, `value` and `labels`.'),
  },
  output: { status: out.text('`success`.'), code: out.integer('The status of the response.') },
  run: async (client, { job, instance, metrics }) => {
    const group = instance === undefined ? '' : grouping('instance', instance);
    const { status } = await client.send({
      method: 'POST',
      path: `/metrics${grouping('job', job)}${group}`,
      headers: { 'content-type': 'text/plain; version=0.0.4' },
      content: toText(metrics),
    });
    return { status: 'success', code: status };
  },
  example: {
    url: 'http://pushgateway.example.com:9091',
    job: 'nightly',
    metrics: [{ name: 'rows_loaded', value: '42', labels: { table: 'orders' } }],
  },
});

export const prometheusTypes = [query, push, trigger];
