import { apifyTypes } from '../apify/apify.ts';
import { censusTypes } from '../census/census.ts';
import { fabricTypes } from '../fabric/fabric.ts';
import { hightouchTypes } from '../hightouch/hightouch.ts';
import { startServices, testCalls } from '../testing/exchange.ts';
import { fivetranTypes } from './fivetran.ts';

startServices();

const connector = 'https://api.fivetran.com/v2/connectors/speak_inexpensive';
const at = (succeeded: string | null, failed: string | null = null) => ({
  data: {
    id: 'speak_inexpensive',
    schema: 'salesforce',
    paused: false,
    succeeded_at: succeeded,
    failed_at: failed,
    status: { sync_state: 'scheduled', setup_state: 'connected' },
  },
});
const started = { asks: `POST ${connector}/sync`, sends: { force: false }, replies: { code: 'Success' } };
const later = '2099-01-01T00:00:00Z';

testCalls(fivetranTypes, {
  headers: {
    authorization: `Basic ${Buffer.from('FIVETRAN_API_KEY:FIVETRAN_API_SECRET').toString('base64')}`,
  },
  cases: [
    {
      type: 'fivetran.connectors.Sync',
      with: { pollFrequency: 'PT0.01S', initialRetryDelay: 'PT0S' },
      exchanges: [
        { asks: `GET ${connector}`, status: 503 },
        { asks: `GET ${connector}`, replies: at('2026-01-01T00:00:00Z') },
        started,
        { asks: `GET ${connector}`, replies: at('2026-01-01T00:00:00Z') },
        { asks: `GET ${connector}`, replies: at('2026-01-31T00:00:00Z') },
      ],
    },
    {
      type: 'fivetran.connectors.Sync',
      when: 'that fails',
      exchanges: [
        { asks: `GET ${connector}`, replies: at(null) },
        started,
        { asks: `GET ${connector}`, replies: at(null, '2026-01-31T00:00:00Z') },
      ],
      fails: 'The sync of speak_inexpensive failed at 2026-01-31T00:00:00Z.',
    },
    {
      type: 'fivetran.connectors.Status',
      exchanges: [{ asks: `GET ${connector}`, replies: at(later) }],
      gives: {
        connectors: {
          speak_inexpensive: {
            id: 'speak_inexpensive',
            name: 'salesforce',
            paused: false,
            succeededAt: later,
            failedAt: null,
            completedDate: '2099-01-01T00:00:00.000Z',
            hasFailed: false,
            syncState: 'scheduled',
            setupState: 'connected',
            fresh: true,
          },
        },
      },
    },
  ],
});

const hightouch = 'https://api.hightouch.com/api/v1/syncs/1127166';
const run = {
  id: '42',
  status: 'success',
  completionRatio: 1,
  successfulRows: { addedCount: 3, changedCount: 2, removedCount: 1 },
};
const triggered = { asks: `POST ${hightouch}/trigger`, sends: { fullResync: false }, replies: { id: '42' } };

testCalls(hightouchTypes, {
  headers: { authorization: 'Bearer HIGHTOUCH_API_TOKEN' },
  cases: [
    {
      type: 'hightouch.Sync',
      exchanges: [triggered, { asks: `GET ${hightouch}/runs?runId=42`, replies: { data: [run] } }],
      gives: { runId: 42, metadata: { ...run, status: 'SUCCESS' } },
      metrics: { 'completion.ratio': 1, 'rows.successfully.added': 3 },
    },
    {
      type: 'hightouch.Sync',
      when: 'that fails',
      exchanges: [
        triggered,
        {
          asks: `GET ${hightouch}/runs?runId=42`,
          replies: { data: [{ ...run, status: 'failed', error: 'no table' }] },
        },
      ],
      fails: 'The run 42 ended as FAILED: no table',
    },
  ],
});

const census = 'https://app.getcensus.com/api/v1';
const censusRun = {
  id: 94,
  status: 'completed',
  canceled: false,
  source_record_count: 15,
  source_record_invalids: 1,
  records_processed: 14,
  records_updated: 13,
  records_failed: 1,
};
const censusStart = {
  asks: `POST ${census}/syncs/52/trigger?force_full_sync=false`,
  replies: { status: 'success', data: { sync_run_id: 94 } },
};
const censusState = (more: object) => ({
  asks: `GET ${census}/sync_runs/94`,
  replies: { status: 'success', data: { ...censusRun, ...more } },
});

testCalls(censusTypes, {
  headers: { authorization: 'Bearer CENSUS_API_TOKEN' },
  cases: [
    {
      type: 'census.TriggerSync',
      with: { pollFrequency: 'PT0.01S' },
      exchanges: [
        censusStart,
        censusState({ status: 'queued' }),
        censusState({ status: 'working' }),
        censusState({}),
      ],
      gives: { runId: 94, run: censusRun },
      metrics: { 'records.source': 15, 'records.invalid': 1, 'records.updated': 13, 'records.failed': 1 },
    },
    {
      type: 'census.TriggerSync',
      when: 'of all records, without a wait',
      with: { forceFullSync: true, wait: false },
      exchanges: [{ ...censusStart, asks: `POST ${census}/syncs/52/trigger?force_full_sync=true` }],
      gives: { runId: 94 },
    },
    {
      type: 'census.TriggerSync',
      when: 'that fails',
      exchanges: [censusStart, censusState({ status: 'failed', error_message: 'no table' })],
      fails: 'The run 94 ended as failed: no table',
    },
    {
      type: 'census.TriggerSync',
      when: 'that is canceled',
      exchanges: [censusStart, censusState({ canceled: true })],
      fails: 'The run 94 was canceled in Census.',
    },
    {
      type: 'census.TriggerSync',
      when: 'that is skipped',
      exchanges: [censusStart, censusState({ status: 'skipped' })],
      fails: 'The run 94 was skipped because an earlier run of the sync had not ended.',
    },
  ],
});

const apify = 'https://api.apify.com/v2';
const actorRun = { id: 'r1', status: 'RUNNING', defaultDatasetId: 'd1', secret: 'x' };
const items = 'clean=true&offset=0';

testCalls(apifyTypes, {
  headers: { authorization: 'Bearer APIFY_TOKEN' },
  cases: [
    {
      type: 'apify.actor.Run',
      exchanges: [
        {
          asks: `POST ${apify}/acts/apify~web-scraper/runs?memory=1024&waitForFinish=60`,
          sends: { startUrls: [{ url: 'https://example.com' }] },
          replies: { data: actorRun },
        },
        {
          asks: `GET ${apify}/actor-runs/r1?waitForFinish=30`,
          replies: { data: { ...actorRun, status: 'SUCCEEDED' } },
        },
      ],
      gives: { id: 'r1', status: 'SUCCEEDED', defaultDatasetId: 'd1' },
    },
    {
      type: 'apify.task.Run',
      exchanges: [
        {
          asks: `POST ${apify}/actor-tasks/ada~prices/runs`,
          sends: {},
          replies: { data: { id: 'r1', status: 'TIMED-OUT', statusMessage: 'too slow' } },
        },
      ],
      fails: 'The run r1 ended as TIMED-OUT: too slow',
    },
    {
      type: 'apify.dataset.GetLastRun',
      exchanges: [{ asks: `GET ${apify}/acts/apify~web-scraper/runs/last`, replies: { data: actorRun } }],
      gives: { id: 'r1', status: 'RUNNING', defaultDatasetId: 'd1' },
    },
    {
      type: 'apify.dataset.Get',
      with: { sort: 'DESC' },
      exchanges: [
        {
          asks: `GET ${apify}/datasets/d1/items?${items}&limit=100&fields=url%2Ctitle&desc=true&skipEmpty=true&format=json`,
          replies: [{ url: 'https://example.com' }],
        },
      ],
      gives: { dataset: [{ url: 'https://example.com' }] },
    },
    {
      type: 'apify.dataset.Save',
      exchanges: [
        {
          asks: `GET ${apify}/datasets/d1/items?${items}&limit=1000&skipEmpty=true&format=csv&delimiter=%2C&skipHeaderRow=false`,
          replies: 'url\nx',
        },
      ],
      stores: { path: 'url\nx' },
    },
  ],
});

const fabric = 'https://api.fabric.microsoft.com/v1/workspaces/w1/items';
const lake = 'https://onelake.dfs.fabric.microsoft.com/w1/sales.Lakehouse/Files/orders.csv';
const login = (scope: string) => ({
  asks: 'POST https://login.microsoftonline.com/AZURE_TENANT_ID/oauth2/v2.0/token',
  sends: {
    grant_type: 'client_credentials',
    client_id: 'AZURE_CLIENT_ID',
    client_secret: 'AZURE_CLIENT_SECRET',
    scope,
  },
  replies: { access_token: 'token1', expires_in: 3600 },
});
const accepted = (item: string) => ({
  status: 202,
  replyHeaders: { location: `${fabric}/${item}/jobs/instances/j1` },
});

const pipelineRun = { executionData: { parameters: { day: '2026-01-31' } } };

testCalls(
  fabricTypes.filter(({ type }) => type.includes('engineering')),
  {
    headers: { authorization: 'Bearer token1' },
    login: login('https://api.fabric.microsoft.com/.default'),
    cases: [
      {
        type: 'microsoft.fabric.data.engineering.RunNotebook',
        exchanges: [
          {
            asks: `POST ${fabric}/n1/jobs/instances?jobType=RunNotebook`,
            sends: {
              executionData: {
                parameters: {
                  day: { value: '2026-01-31', type: 'string' },
                  limit: { value: 10, type: 'int' },
                },
              },
            },
            ...accepted('n1'),
          },
          { asks: `GET ${fabric}/n1/jobs/instances/j1`, replies: { status: 'Completed' } },
        ],
        gives: { jobInstanceId: 'j1', status: 'Completed' },
      },
      {
        type: 'microsoft.fabric.data.engineering.RunPipeline',
        exchanges: [
          {
            asks: `POST ${fabric}/p1/jobs/instances?jobType=Pipeline`,
            sends: pipelineRun,
            ...accepted('p1'),
          },
          { asks: `GET ${fabric}/p1/jobs/instances/j1`, replies: { status: 'Completed' } },
        ],
        gives: { runId: 'j1', status: 'Completed' },
      },
      {
        type: 'microsoft.fabric.data.engineering.RunPipeline',
        when: 'that fails',
        exchanges: [
          {
            asks: `POST ${fabric}/p1/jobs/instances?jobType=Pipeline`,
            sends: pipelineRun,
            ...accepted('p1'),
          },
          {
            asks: `GET ${fabric}/p1/jobs/instances/j1`,
            replies: { status: 'Failed', failureReason: { message: 'no source' } },
          },
        ],
        fails: 'The run j1 ended as Failed: no source',
      },
      {
        type: 'microsoft.fabric.data.engineering.RunSparkJob',
        with: { wait: false },
        exchanges: [
          { asks: `POST ${fabric}/s1/jobs/instances?jobType=sparkjob`, sends: {}, ...accepted('s1') },
        ],
        gives: { jobInstanceId: 'j1', status: 'NotStarted' },
      },
    ],
  },
);

testCalls(
  fabricTypes.filter(({ type }) => type.includes('onelake')),
  {
    headers: { authorization: 'Bearer token1', 'x-ms-version': '2023-11-03' },
    login: login('https://storage.azure.com/.default'),
    cases: [
      {
        type: 'microsoft.fabric.onelake.Upload',
        files: { file: 'a,b' },
        exchanges: [
          { asks: `PUT ${lake}?resource=file`, status: 201 },
          { asks: `PATCH ${lake}?action=append&position=0`, sends: 'a,b', status: 202 },
          { asks: `PATCH ${lake}?action=flush&position=3` },
        ],
        gives: { uri: lake },
        metrics: { 'file.size': 3 },
      },
      {
        type: 'microsoft.fabric.onelake.Download',
        exchanges: [{ asks: `GET ${lake}`, replies: 'a,b' }],
        gives: { size: 3 },
        stores: { uri: 'a,b' },
      },
      {
        type: 'microsoft.fabric.onelake.Delete',
        exchanges: [{ asks: `DELETE ${lake}?recursive=false` }],
      },
    ],
  },
);
