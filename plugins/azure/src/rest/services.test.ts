import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { azureFamily } from '../index.ts';
import {
  type AzureDouble,
  type DoubleRequest,
  type DoubleResponse,
  startAzureDouble,
} from '../testing/azureDouble.ts';
import { anAzureContext, pollAzure, runAzure } from '../testing/runAzure.ts';

let azure: AzureDouble;
beforeAll(async () => {
  azure = await startAzureDouble();
});
afterAll(() => azure.stop());
beforeEach(() => {
  process.env.AZURE_AUTHORITY_HOST = azure.url;
  process.env.AZURE_RESOURCE_MANAGER_URL = azure.url;
});
afterEach(() => {
  delete process.env.AZURE_AUTHORITY_HOST;
  delete process.env.AZURE_RESOURCE_MANAGER_URL;
});

const identity = { tenantId: 't', clientId: 'c', clientSecret: 's' };
const group = { ...identity, subscriptionId: 'sub', resourceGroupName: 'g' };
const workflows = '/subscriptions/sub/resourceGroups/g/providers/Microsoft.Logic/workflows';

/** Gives a token that names its scope, and lets the test respond to calls that carry it. */
function respond(scope: string, handle: (request: DoubleRequest) => DoubleResponse) {
  const token = `token for ${scope}/.default`;
  azure.respond((request) => {
    if (request.path.endsWith('/oauth2/v2.0/token')) {
      const form = new URLSearchParams(request.body.toString());
      return { body: { access_token: `token for ${form.get('scope')}`, expires_in: 3600 } };
    }
    if (request.headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { error: { code: 'InvalidAuthenticationToken' } } };
    return handle(request);
  });
}
const calls = () => azure.requests.filter(({ path }) => !path.endsWith('/token'));

const aRun = (name: string, status: string, startTime: string) => ({
  id: `${workflows}/w/runs/${name}`,
  name,
  properties: {
    status,
    code: status === 'Failed' ? 'BadGateway' : null,
    startTime,
    endTime: `${startTime.slice(0, -2)}9Z`,
    correlation: { clientTrackingId: `c-${name}` },
    ...(status === 'Failed' && { error: { code: 'X', message: 'no answer' } }),
    outputs: { rows: { type: 'Integer', value: 3 } },
  },
});

test('Logic Apps: workflows are read, listed page by page and started', async () => {
  const workflow = {
    id: `${workflows}/w`,
    name: 'w',
    location: 'westeurope',
    tags: { team: 'data' },
    properties: {
      state: 'Enabled',
      provisioningState: 'Succeeded',
      version: '1',
      createdTime: '2026-01-01T00:00:00Z',
    },
  };
  respond('https://management.azure.com', ({ method, path, query }) => {
    if (method === 'POST') return { status: 202, headers: { 'x-ms-workflow-run-id': 'r1' } };
    if (path === `${workflows}/w`) return { body: workflow };
    if (path === `${workflows}/gone`)
      return { status: 404, body: { error: { code: 'ResourceNotFound', message: 'There is no gone.' } } };
    return query.$skiptoken
      ? { body: { value: [{ ...workflow, name: 'w2' }] } }
      : { body: { value: [workflow], nextLink: `https://elsewhere.example.com${path}?$skiptoken=2` } };
  });
  expect(await runAzure('azure.logicapps.Get', { ...group, workflowName: 'w' })).toEqual({
    workflow: {
      id: `${workflows}/w`,
      name: 'w',
      location: 'westeurope',
      tags: { team: 'data' },
      state: 'Enabled',
      provisioningState: 'Succeeded',
      version: '1',
      createdTime: '2026-01-01T00:00:00Z',
    },
  });
  expect(await runAzure('azure.logicapps.List', group)).toMatchObject({
    workflows: [{ name: 'w' }, { name: 'w2' }],
    total: 2,
  });
  expect(await runAzure('azure.logicapps.List', { ...group, maxWorkflows: 1 })).toMatchObject({ total: 1 });
  expect(await runAzure('azure.logicapps.Run', { ...group, workflowName: 'w' })).toEqual({
    workflowName: 'w',
    triggerName: 'manual',
    runId: 'r1',
    statusCode: 202,
  });
  expect(calls().at(-1)).toMatchObject({
    path: `${workflows}/w/triggers/manual/run`,
    query: { 'api-version': '2016-06-01' },
  });
  await expect(runAzure('azure.logicapps.Get', { ...group, workflowName: 'gone' })).rejects.toThrow(
    'Logic Apps refused workflow "gone": ResourceNotFound: There is no gone.',
  );
});

test('Logic Apps: runs are read, filtered, and start an execution once', async () => {
  const runs = [aRun('2', 'Failed', '2026-01-02T00:00:00Z'), aRun('1', 'Succeeded', '2026-01-01T00:00:00Z')];
  respond('https://management.azure.com', ({ path, query }) => {
    if (path.endsWith('/runs/2')) return { body: runs[0] ?? {} };
    const wanted = /^status eq '(.*)'$/.exec(query.$filter ?? '')?.[1];
    return {
      body: { value: runs.filter(({ properties }) => wanted === undefined || properties.status === wanted) },
    };
  });
  const input = { ...group, workflowName: 'w' };
  expect(await runAzure('azure.logicapps.GetRun', { ...input, runId: '2' })).toEqual({
    run: {
      id: `${workflows}/w/runs/2`,
      name: '2',
      status: 'Failed',
      code: 'BadGateway',
      startTime: '2026-01-02T00:00:00Z',
      endTime: '2026-01-02T00:00:09Z',
      correlationId: 'c-2',
      error: { code: 'X', message: 'no answer' },
      outputs: { rows: { type: 'Integer', value: 3 } },
    },
  });
  expect(await runAzure('azure.logicapps.ListRuns', { ...input, statusFilter: 'Succeeded' })).toMatchObject({
    runs: [{ name: '1' }],
    total: 1,
  });
  const context = anAzureContext();
  expect(await pollAzure('azure.logicapps.Trigger', input, context)).toMatchObject({
    run: { name: '2' },
    runs: [{ name: '2' }, { name: '1' }],
    total: 2,
  });
  expect(await pollAzure('azure.logicapps.Trigger', input, context)).toBeUndefined();
  runs.unshift(aRun('3', 'Running', '2026-01-03T00:00:00Z'), aRun('4', 'Failed', '2026-01-04T00:00:00Z'));
  expect(await pollAzure('azure.logicapps.Trigger', input, context)).toMatchObject({
    run: { name: '4' },
    total: 1,
  });
});

test('Monitor: metrics are queried in batches, counted, and pushed', async () => {
  const resource = (name: string) => `/subscriptions/sub/resourceGroups/g/providers/X/y/${name}`;
  let data: object[] = [
    { timeStamp: '2026-01-01T00:00:00Z', total: 5 },
    { timeStamp: '2026-01-01T00:01:00Z' },
  ];
  respond('https://metrics.monitor.azure.com', ({ body }) => {
    const { resourceids } = JSON.parse(body.toString()) as { resourceids: string[] };
    const metric = {
      name: { value: 'Transactions' },
      unit: 'Count',
      timeseries: [{ metadatavalues: [{ name: { value: 'api' }, value: 'get' }], data }],
    };
    return {
      body: { values: resourceids.map((resourceid) => ({ resourceid, namespace: 'X/y', value: [metric] })) },
    };
  });
  const input = {
    ...identity,
    endpoint: azure.url,
    resourceIds: [resource('a')],
    metricNames: ['Transactions', 'Ingress'],
    metricsNamespace: 'X/y',
    aggregations: ['Total'],
    top: 3,
  };
  expect(await runAzure('azure.monitoring.Query', { ...input, interval: 'P1D', window: 'PT1H' })).toEqual({
    resources: 1,
    metrics: 1,
    datapoints: 1,
    results: [
      {
        resourceId: resource('a'),
        namespace: 'X/y',
        metrics: [
          {
            name: 'Transactions',
            unit: 'Count',
            timeseries: [{ metadata: { api: 'get' }, datapoints: data }],
          },
        ],
      },
    ],
  });
  const [call] = calls();
  expect(call).toMatchObject({
    path: '/subscriptions/sub/metrics:getBatch',
    query: {
      metricnames: 'Transactions,Ingress',
      metricnamespace: 'X/y',
      interval: 'P1D',
      aggregation: 'Total',
      top: '3',
    },
  });
  expect(Date.parse(call?.query.endtime ?? '') - Date.parse(call?.query.starttime ?? '')).toBe(3_600_000);
  const many = Array.from({ length: 51 }, (_, index) => resource(String(index)));
  expect(await runAzure('azure.monitoring.Query', { ...input, resourceIds: many })).toMatchObject({
    resources: 51,
  });
  expect(await pollAzure('azure.monitoring.Trigger', { ...input, granularity: 'PT1M' })).toMatchObject({
    datapoints: 1,
  });
  data = [{ timeStamp: '2026-01-01T00:01:00Z' }];
  expect(await pollAzure('azure.monitoring.Trigger', input)).toBeUndefined();
  await expect(runAzure('azure.monitoring.Query', { ...input, resourceIds: ['a'] })).rejects.toThrow(
    'got "a"',
  );

  respond('https://monitoring.azure.com', ({ body }) => ({ body: { got: JSON.parse(body.toString()) } }));
  const pushed = {
    ...identity,
    endpoint: `${azure.url}/`,
    path: `${resource('a')}/metrics`,
    metrics: { time: 1 },
  };
  expect(await runAzure('azure.monitoring.Push', pushed)).toEqual({ body: { got: { time: 1 } } });
  expect(calls()[0]?.path).toBe(`${resource('a')}/metrics`);
});

test('Stream Analytics and Synapse', async () => {
  respond('https://management.azure.com', () => ({
    body: {
      name: 'clicks',
      location: 'West Europe',
      properties: { provisioningState: 'Succeeded', jobState: 'Running' },
    },
  }));
  const job = { ...identity, subscriptionId: 'sub', resourceGroup: 'g', jobName: 'clicks' };
  expect(await runAzure('azure.streamanalytics.GetJob', job)).toEqual({
    jobName: 'clicks',
    location: 'West Europe',
    provisioningState: 'Succeeded',
    jobState: 'Running',
  });
  respond('https://dev.azuresynapse.net', () => ({ body: { id: 7, state: 'not_started', appId: null } }));
  const spark = {
    ...identity,
    endpoint: azure.url,
    sparkPoolName: 'small',
    name: 'report',
    file: 'abfss://a@b/report.py',
    arguments: ['--day', '1'],
    conf: { 'spark.x': 'y' },
    executorCount: 2,
  };
  expect(await runAzure('azure.synapse.SparkBatchJobCreate', spark)).toEqual({
    jobId: 7,
    state: 'not_started',
  });
  expect(calls()[0]?.path).toBe('/livyApi/versions/2019-11-01-preview/sparkPools/small/batches');
  expect(JSON.parse(String(calls()[0]?.body))).toEqual({
    name: 'report',
    file: 'abfss://a@b/report.py',
    args: ['--day', '1'],
    conf: { 'spark.x': 'y' },
    numExecutors: 2,
  });
});

test('lines of the log go to a data collection rule, and to a blob', async () => {
  const send = (type: string, properties: object) => {
    const exporter = azureFamily.types.find((each) => each.type === type);
    if (exporter?.kind !== 'logExporter') throw new Error(`No exporter ${type}`);
    const lines = async function* () {
      yield { message: 'a', level: 'INFO', timestamp: '2026-01-31T00:00:00.000Z' };
    };
    return exporter.export(anAzureContext(), exporter.input.parse(properties), lines());
  };
  respond('https://monitor.azure.com', () => ({ status: 204 }));
  const rule = { ...identity, endpoint: azure.url, ruleId: 'dcr-1', streamName: 'Custom-T_CL' };
  expect(await send('azure.monitor.LogExporter', rule)).toEqual({ size: 1 });
  const [call] = calls();
  expect(call?.path).toBe('/dataCollectionRules/dcr-1/streams/Custom-T_CL');
  expect(JSON.parse(String(call?.body))).toEqual([
    { TimeGenerated: '2026-01-31T00:00:00.000Z', message: 'a', level: 'INFO' },
  ]);
  azure.respond(() => ({ status: 201 }));
  const place = { ...azure.connection, containerName: 'logs' };
  const blob = await send('azure.storage.LogExporter', place);
  expect(blob).toEqual({ size: 1, name: expect.stringMatching(/^millrace-log-.*\.jsonl$/) });
  expect(String(calls().at(-1)?.body)).toContain('"message":"a"');
});
