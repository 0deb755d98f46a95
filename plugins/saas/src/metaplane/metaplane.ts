import { fetchRows, type JsonMap, mapsIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { may, need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const metaplane = defineService({
  name: 'Metaplane',
  prefix: 'metaplane',
  properties: {
    apiToken: need.secret('An API token.'),
    baseUrl: preset.text('https://dev.api.metaplane.dev', 'The address of the API.'),
    ...requestOptions,
  },
  baseUrl: ({ baseUrl }) => baseUrl,
  auth: ({ apiToken }) => bearer(apiToken),
  example: { apiToken: "{{ secret('METAPLANE_API_TOKEN') }}" },
});

/** From the best to the worst: a monitor with groups has the worst status of its series. */
const statuses = [
  'PASS',
  'IN_TRAINING',
  'NOT_ENOUGH_DATA',
  'FAILED_TO_PREDICT',
  'INVALID_INPUT',
  'ERROR',
  'FAIL',
  'UNKNOWN',
] as const;
type Status = (typeof statuses)[number];
const ranks: readonly Status[] = [
  'PASS',
  'IN_TRAINING',
  'NOT_ENOUGH_DATA',
  'UNKNOWN',
  'FAILED_TO_PREDICT',
  'INVALID_INPUT',
  'ERROR',
  'FAIL',
];

const statusOf = (text: unknown): Status => statuses.find((each) => each === text) ?? 'UNKNOWN';

interface Result {
  readonly monitorId: string;
  readonly status: Status;
  readonly checkedAt: string | undefined;
  readonly series: readonly JsonMap[];
}

async function readStatus(client: RestClient, monitorId: string): Promise<Result | undefined> {
  const path = `/v2/monitors/status/${encodeURIComponent(monitorId)}`;
  const { status: code, body } = await client.send({ path, accepts: [404] });
  // The monitor has not run yet.
  if (code === 404) return undefined;
  const series = mapsIn(valueAt(body, 'statuses')).map((each) => ({
    result: each.result,
    lowerBound: each.lowerBound,
    upperBound: each.upperBound,
    status: statusOf(each.status),
    groups: each.groups,
    openRelatedIncidents: each.openRelatedIncidents,
  }));
  const worst = series.map(({ status }) => status).toSorted((a, b) => ranks.indexOf(b) - ranks.indexOf(a))[0];
  const isErrored = valueAt(body, 'isErrored') === true;
  const checkedAt = textOf(valueAt(body, 'timestamp'));
  return { monitorId, status: isErrored ? 'ERROR' : (worst ?? 'UNKNOWN'), checkedAt, series };
}

const monitorIds = need.texts('The ids of the monitors.');
const statusOutput = {
  monitorId: out.text('The id of the monitor.'),
  status: out.text('The status; of a monitor with groups, the worst one.'),
  checkedAt: out.text('When the monitor ran.'),
};
const enqueue = (client: RestClient, ids: readonly string[]) =>
  client.send({ method: 'POST', path: '/v1/monitors/run', body: { monitorIds: ids } });

const run = metaplane.task({
  type: 'Run',
  title: 'Run monitors of Metaplane',
  description: 'Starts monitors. The task does not wait for their end; use `metaplane.Gate` for that.',
  properties: { monitorIds },
  output: { monitorIds: out.texts('The ids of the monitors.') },
  run: async (client, input) => {
    await enqueue(client, input.monitorIds);
    return { monitorIds: input.monitorIds };
  },
  example: { monitorIds: ['3fa85f64-5717-4562-b3fc-2c963f66afa6'] },
});

const get = metaplane.task({
  type: 'Get',
  title: 'Get the status of a monitor of Metaplane',
  description: 'Reads the last result of a monitor. A failed check does not fail the task.',
  properties: { monitorId: need.text('The id of the monitor.') },
  output: { ...statusOutput, series: out.maps('The results: one, or one for each group.') },
  run: async (client, { monitorId }) => {
    const found = await readStatus(client, monitorId);
    if (!found) throw new TaskFailed(`The monitor "${monitorId}" has not run yet.`, { retry: false });
    return { ...found };
  },
  example: { monitorId: '3fa85f64-5717-4562-b3fc-2c963f66afa6' },
});

const list = metaplane.task({
  type: 'List',
  title: 'List the monitors of a connection in Metaplane',
  description: 'Lists the monitors of a connection.',
  properties: {
    connectionId: need.text('The id of the connection.'),
    includeDisabled: preset.flag(false, 'Also monitors that are disabled.'),
    fetchGroups: preset.flag(false, 'Read the groups of each monitor too.'),
    fetchType: preset.choice(['STORE', 'FETCH', 'FETCH_ONE', 'NONE'], 'FETCH', 'What becomes of the rows.'),
  },
  output: {
    monitors: out.maps('The monitors, with `FETCH`.'),
    monitor: out.map('The first, with `FETCH_ONE`.'),
    uri: out.text('A file with one a line, with `STORE`.'),
    total: out.integer('How many there are.'),
  },
  run: async (client, { connectionId, includeDisabled, fetchGroups, fetchType }, context) => {
    const path = `/v1/monitors/connection/${encodeURIComponent(connectionId)}`;
    const { body } = await client.send({ path, query: { includeDisabled, fetchGroups } });
    const rows = mapsIn(valueAt(body, 'data') ?? valueAt(body, 'monitors') ?? body);
    const fetched = await fetchRows(
      context,
      fetchType,
      rows.map((row) => ({ ...row })),
    );
    return { monitors: fetched.rows, monitor: fetched.row, uri: fetched.uri, total: fetched.size };
  },
  example: { connectionId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
});

const gate = metaplane.task({
  type: 'Gate',
  title: 'Continue only when monitors of Metaplane pass',
  description:
    'Reads the results of monitors, with `runFirst` after it has run them, and fails according to `failStrategy` when they are among `failOn`.',
  properties: {
    monitorIds,
    runFirst: preset.flag(false, 'Run the monitors and wait for their new results.'),
    pollInterval: preset.duration('PT10S', 'The pause between two questions about the results.'),
    timeout: preset.duration('PT10M', 'How long to wait for new results.'),
    maxAge: may.duration('Results that are older are stale and count as failed.'),
    failStrategy: preset.choice(
      ['FAIL_FAST', 'FAIL_IF_ANY', 'FAIL_IF_ALL', 'NONE'],
      'FAIL_IF_ANY',
      'When the task fails: at the first failed monitor, when any failed, when all failed, or never.',
    ),
    failOn: preset.texts(['FAIL', 'ERROR'], 'The statuses that count as failed.'),
  },
  output: {
    passed: out.flag('Whether the gate is open.'),
    failedMonitorIds: out.texts('The monitors that failed.'),
    monitors: out.maps('The results: `monitorId`, `status`, `checkedAt`, `stale` and `series`.'),
  },
  run: async (client, input, context) => {
    const startedAt = Date.now();
    if (input.runFirst) await enqueue(client, input.monitorIds);
    const monitors: (Result & { stale: boolean })[] = [];
    const failed: string[] = [];
    for (const monitorId of input.monitorIds) {
      const found = await waitFor(context, {
        what: `The monitor "${monitorId}"`,
        everyMs: input.pollInterval,
        atMostMs: Math.max(0, startedAt + input.timeout - Date.now()),
        poll: async () => {
          const now = await readStatus(client, monitorId);
          const isNew = now?.checkedAt !== undefined && Date.parse(now.checkedAt) >= startedAt;
          if (input.runFirst && !isNew) return undefined;
          return now ?? { monitorId, status: 'UNKNOWN' as const, checkedAt: undefined, series: [] };
        },
      });
      const age =
        found.checkedAt === undefined ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(found.checkedAt);
      const stale = input.maxAge !== undefined && !input.runFirst && age > input.maxAge;
      monitors.push({ ...found, stale });
      if (stale || input.failOn.includes(found.status)) failed.push(monitorId);
      if (failed.length > 0 && input.failStrategy === 'FAIL_FAST') break;
    }
    const isAll = input.failStrategy === 'FAIL_IF_ALL';
    const hasFailed = isAll ? failed.length === input.monitorIds.length : failed.length > 0;
    const outputs = { passed: !hasFailed, failedMonitorIds: failed, monitors };
    if (hasFailed && input.failStrategy !== 'NONE')
      throw new TaskFailed(`Monitors of Metaplane failed: ${failed.join(', ')}.`, { outputs, retry: false });
    return outputs;
  },
  example: { monitorIds: ['3fa85f64-5717-4562-b3fc-2c963f66afa6'] },
});

const resultTrigger = metaplane.trigger({
  type: 'MonitorResultTrigger',
  title: 'Start an execution when a monitor of Metaplane has a new result',
  description: 'Reads the last result every `interval` and starts an execution for each new one.',
  interval: 'PT5M',
  properties: { monitorId: need.text('The id of the monitor.') },
  output: statusOutput,
  poll: async (client, { monitorId }, context) => {
    const found = await readStatus(client, monitorId);
    if (found?.checkedAt === undefined) return undefined;
    if (context.memory === found.checkedAt) return undefined;
    context.remember(found.checkedAt);
    const { status, checkedAt } = found;
    return { monitorId, status, checkedAt };
  },
  example: { monitorId: '3fa85f64-5717-4562-b3fc-2c963f66afa6' },
});

export const metaplaneTypes = [run, get, list, gate, resultTrigger];
