import { startServices, testCalls } from '../testing/exchange.ts';
import { airbyteTypes } from './airbyte.ts';

startServices();

const url = 'https://airbyte.example.com';
const connectionId = 'e3b1ce92-547c-436f-b1e8-23b6936c12ab';
const asks = `POST ${url}/api/v1/connections/sync/`;
const look = { asks: `POST ${url}/api/v1/jobs/get/`, sends: { id: 970 } };
const attempt = {
  attempt: { totalStats: { recordsCommitted: 5, bytesEmitted: 99 } },
  logs: { logLines: ['Started'] },
};
const cloudJob = {
  jobId: 1,
  status: 'succeeded',
  startTime: '2026-01-31T08:00:00Z',
  lastUpdatedAt: '2026-01-31T08:00:10Z',
  bytesSynced: 10,
  rowsSynced: 2,
};

testCalls(airbyteTypes, {
  headers: { authorization: 'Bearer AIRBYTE_TOKEN' },
  cases: [
    {
      type: 'airbyte.connections.Sync',
      with: { pollFrequency: 'PT0.01S' },
      exchanges: [
        { asks, sends: { connectionId }, replies: { job: { id: 970 } } },
        { ...look, replies: { job: { status: 'running' }, attempts: [attempt] } },
        { ...look, replies: { job: { status: 'succeeded' }, attempts: [attempt] } },
      ],
      gives: { jobId: 970, alreadyRunning: false },
      metrics: { 'attempts.count': 1, 'records.committed': 5, 'bytes.emitted': 99 },
    },
    {
      type: 'airbyte.connections.Sync',
      when: 'that runs already',
      with: { failOnActiveSync: false },
      exchanges: [{ asks, sends: { connectionId }, status: 409 }],
      gives: { alreadyRunning: true },
    },
    {
      type: 'airbyte.connections.Sync',
      when: 'that fails, with the login of an application',
      with: { token: null, applicationCredentials: { clientId: 'id', clientSecret: 'secret' } },
      exchanges: [
        {
          asks: `POST ${url}/api/v1/applications/token`,
          sends: { client_id: 'id', client_secret: 'secret' },
          headers: { authorization: undefined },
          replies: { access_token: 'AIRBYTE_TOKEN' },
        },
        { asks, sends: { connectionId }, replies: { job: { id: 970 } } },
        { ...look, replies: { job: { status: 'failed' }, attempts: [] } },
      ],
      fails: 'The job 970 ended as failed.',
    },
    {
      type: 'airbyte.connections.CheckStatus',
      exchanges: [{ ...look, replies: { job: { status: 'succeeded' }, attempts: [attempt] } }],
      gives: { finalJobStatus: 'succeeded' },
    },
    ...(['Sync', 'Reset'] as const).map((name) => ({
      type: `airbyte.cloud.jobs.${name}`,
      exchanges: [
        {
          asks: 'POST https://api.airbyte.com/v1/jobs',
          sends: { connectionId, jobType: name.toLowerCase() },
          replies: { jobId: 1, status: 'pending' },
        },
        { asks: 'GET https://api.airbyte.com/v1/jobs/1', replies: cloudJob },
      ],
      gives: { job: cloudJob },
      metrics: { bytes_synced: 10, rows_synced: 2, duration: 10_000 },
    })),
  ],
});
