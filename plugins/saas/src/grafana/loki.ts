import { type JsonMap, mapIn, mapsIn, type TaskContext, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const loki = defineService({
  name: 'Loki',
  prefix: 'grafana.loki',
  properties: {
    url: need.text('The address of Loki.'),
    authToken: may.secret('A bearer token.'),
    tenantId: may.text('The tenant (`X-Scope-OrgID`).'),
    connectTimeout: preset.integer(30, 'Accepted; the timeouts of the server apply.'),
    readTimeout: preset.integer(60, 'Accepted; the timeouts of the server apply.'),
    query: need.text('The query, in LogQL.'),
  },
  baseUrl: ({ url }) => `${url.replace(/\/+$/, '')}/loki/api/v1`,
  auth: ({ authToken }) => (authToken === undefined ? undefined : bearer(authToken)),
  headers: ({ tenantId }) => ({ 'x-scope-orgid': tenantId }),
  example: {
    url: 'https://loki.example.com',
    authToken: "{{ secret('LOKI_TOKEN') }}",
    query: '{app="shop"} |= "error"',
  },
});

const limits = {
  limit: preset.integer(100, 'The most lines.'),
  direction: preset.choice(['FORWARD', 'BACKWARD'], 'BACKWARD', 'The order: oldest or newest first.'),
};
const logs = {
  logs: out.maps(
    'The lines: `timestamp`, `line` and `labels`; for metrics `timestamp`, `value` and `labels`.',
  ),
};
const resultType = { resultType: out.text('`streams`, `vector` or `matrix`.') };
const metrics = ['records', 'Records'].map((name) => ({
  name,
  type: 'counter' as const,
  description: 'How many lines there were.',
}));
/** Dashboards use the metric under both names. */
const count = (context: TaskContext, value: number) => {
  for (const { name, type } of metrics) context.metric({ name, type, value });
};

/** The lines of a response of any kind. */
function linesOf(response: JsonMap): { logs: JsonMap[]; resultType: unknown } {
  const { resultType: kind, result } = mapIn(response.data);
  const found = mapsIn(result).flatMap(({ stream, metric, values, value }) => {
    const pairs: unknown[] = Array.isArray(values) ? values : value === undefined ? [] : [value];
    return pairs.map((pair) => {
      const [timestamp, text] = Array.isArray(pair) ? pair : [];
      const time = textOf(timestamp);
      return kind === 'streams'
        ? { timestamp: time, line: text, labels: stream }
        : { timestamp: time, value: text, labels: metric };
    });
  });
  return { logs: found, resultType: kind };
}

const query = loki.task({
  type: 'Query',
  title: 'Query Loki at one time',
  description: 'Runs an instant query, which Loki allows for metrics.',
  properties: { ...limits, time: may.text('The time of the query; now when absent.') },
  metrics,
  output: { ...logs, ...resultType },
  run: async (client, { query: text, limit, direction, time }, context) => {
    const answer = { query: text, limit, direction: direction.toLowerCase(), time };
    const found = linesOf(await client.ask({ path: '/query', query: answer }));
    count(context, found.logs.length);
    return found;
  },
  example: {},
});

const range = loki.task({
  type: 'QueryRange',
  title: 'Query Loki over a range of time',
  description: 'Reads lines or metrics of a range of time.',
  properties: {
    ...limits,
    start: may.text('The begin of the range.'),
    end: may.text('The end of the range.'),
    since: may.text('The length of the range, such as `1h`, instead of `start`.'),
    step: may.text('The step of metrics, such as `1m`.'),
    interval: may.text('The pause between two lines that are returned.'),
  },
  metrics,
  output: { ...logs, ...resultType },
  run: async (client, { query: text, limit, direction, start, end, since, step, interval }, context) => {
    const asked = {
      query: text,
      limit,
      direction: direction.toLowerCase(),
      start,
      end,
      since,
      step,
      interval,
    };
    const found = linesOf(await client.ask({ path: '/query_range', query: asked }));
    count(context, found.logs.length);
    return found;
  },
  example: { since: '1h', limit: 500 },
});

const trigger = loki.trigger({
  type: 'Trigger',
  title: 'Start an execution when Loki has new lines',
  description:
    'Runs a query every `interval` and starts an execution with the lines that came since the last poll.',
  interval: 'PT1M',
  properties: {
    maxRecords: preset.integer(100, 'The most lines of one poll.'),
    since: preset.text('10m', 'How far the first poll looks back.'),
    stateTtl: preset.duration('P1D', 'Accepted; the trigger remembers only the time of the last line.'),
    stateKey: may.text('Accepted; the trigger remembers only the time of the last line.'),
  },
  output: {
    ...logs,
    ...resultType,
    count: out.integer('How many lines there are.'),
    query: out.text('The query.'),
    lastTimestamp: out.text('The time of the last line, in nanoseconds.'),
  },
  poll: async (client, { query: text, maxRecords, since }, context) => {
    const last = textOf(context.memory);
    // The range begins after the last line that was seen; times are nanoseconds, more than a number holds.
    const from = last === undefined ? { since } : { start: String(BigInt(last) + 1n) };
    const asked = { query: text, limit: maxRecords, direction: 'forward', ...from };
    const found = linesOf(await client.ask({ path: '/query_range', query: asked }));
    const times = found.logs
      .map(({ timestamp }) => textOf(timestamp) ?? '0')
      .filter((time) => /^\d+$/.test(time));
    const newest = times.reduce((one, other) => (BigInt(one) > BigInt(other) ? one : other), last ?? '0');
    if (found.logs.length === 0) return undefined;
    context.remember(newest);
    return { ...found, count: found.logs.length, query: text, lastTimestamp: newest };
  },
  example: { interval: 'PT5M' },
});

export const lokiTypes = [query, range, trigger];
