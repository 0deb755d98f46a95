import { type JsonMap, mapIn, mapsIn, type TaskContext, TaskFailed, textOf } from '@millrace/plugin-kit';
import { type Auth, basic, bearer, readToken } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset, requestOptions, waiting } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

/** Airbyte exchanges the id and secret of an application for a token that lasts some minutes. */
const application = (url: string, clientId: string, clientSecret: string): Auth => ({
  token: async (ask) => ({
    ...readToken(await ask({ url, body: { client_id: clientId, client_secret: clientSecret } })),
    expiresInMs: 120_000,
  }),
});

const airbyte = defineService({
  name: 'Airbyte',
  prefix: 'airbyte.connections',
  properties: {
    url: need.text('The address of Airbyte.'),
    username: may.text('The user, for Basic authentication.'),
    password: may.secret('The password of the user.'),
    token: may.secret('A token of the API.'),
    httpTimeout: may.duration('Deprecated: use `options.timeout`.'),
    applicationCredentials: may.secretMap('The application: `clientId` and `clientSecret`.'),
    ...requestOptions,
  },
  baseUrl: ({ url }) => url,
  auth: ({ url, username, password, token, applicationCredentials }) => {
    if (token) return bearer(token);
    if (applicationCredentials) {
      const { clientId, clientSecret } = applicationCredentials;
      return application(
        `${url.replace(/\/+$/, '')}/api/v1/applications/token`,
        textOf(clientId) ?? '',
        textOf(clientSecret) ?? '',
      );
    }
    return username === undefined ? undefined : basic(username, password ?? '');
  },
  example: { url: 'https://airbyte.example.com', token: "{{ secret('AIRBYTE_TOKEN') }}" },
});

const names = ['attempts.count', 'records.committed', 'records.emitted', 'bytes.emitted', 'state.emitted'];
const metrics = names.map((name) => ({
  name,
  type: 'counter' as const,
  description: 'As Airbyte reports it for the job.',
}));
const { pollFrequency, maxDuration, wait } = waiting({ every: 'PT1S', atMost: 'PT60M' });

/** Waits for a job, copies its log, and fails the task unless the job succeeded. */
async function waitForJob(
  client: RestClient,
  context: TaskContext,
  { id, everyMs, atMostMs }: { id: unknown; everyMs: number; atMostMs: number },
): Promise<string> {
  let lines = 0;
  const found = await waitFor(context, {
    what: `The job ${id}`,
    everyMs,
    atMostMs,
    poll: async () => {
      const response = await client.ask({ method: 'POST', path: '/api/v1/jobs/get/', body: { id } });
      const log = mapsIn(response.attempts).flatMap(({ logs }) => linesOf(logs));
      for (const line of log.slice(lines)) await context.log('INFO', line);
      lines = log.length;
      const status = textOf(mapIn(response.job).status);
      return status === 'pending' || status === 'running' || status === 'incomplete'
        ? undefined
        : { status, response };
    },
  });
  report(context, mapsIn(found.response.attempts));
  if (found.status !== 'succeeded') throw new TaskFailed(`The job ${id} ended as ${found.status}.`);
  return found.status;
}

const linesOf = (logs: unknown): string[] => {
  const { logLines } = mapIn(logs);
  return Array.isArray(logLines) ? logLines.map(String) : [];
};

function report({ metric }: TaskContext, attempts: readonly JsonMap[]): void {
  const totals = mapIn(mapIn(attempts.at(-1)?.attempt).totalStats);
  const values = [
    attempts.length,
    totals.recordsCommitted,
    totals.recordsEmitted,
    totals.bytesEmitted,
    totals.stateMessagesEmitted,
  ];
  for (const [index, name] of names.entries())
    if (typeof values[index] === 'number') metric({ name, type: 'counter', value: values[index] });
}

const sync = airbyte.task({
  type: 'Sync',
  title: 'Run a sync of Airbyte',
  description:
    'Starts the sync of a connection, and waits until it has ended. The log of the sync is copied.',
  properties: {
    connectionId: need.text('The id of the connection.'),
    wait,
    maxDuration,
    pollFrequency,
    failOnActiveSync: preset.flag(true, 'Fail when a sync of the connection runs already.'),
  },
  metrics,
  output: {
    jobId: out.integer('The id of the job.'),
    alreadyRunning: out.flag('A sync was running already, so none was started.'),
  },
  run: async (client, input, context) => {
    const { connectionId } = input;
    const { status, body } = await client.send({
      method: 'POST',
      path: '/api/v1/connections/sync/',
      body: { connectionId },
      accepts: [409],
    });
    if (status === 409) {
      if (input.failOnActiveSync)
        throw new TaskFailed(`A sync of the connection ${connectionId} is running already.`);
      return { alreadyRunning: true };
    }
    const { id } = mapIn(mapIn(body).job);
    const wanted = { id, everyMs: input.pollFrequency, atMostMs: input.maxDuration };
    if (input.wait) await waitForJob(client, context, wanted);
    return { jobId: id, alreadyRunning: false };
  },
  example: { connectionId: 'e3b1ce92-547c-436f-b1e8-23b6936c12ab' },
});

const checkStatus = airbyte.task({
  type: 'CheckStatus',
  title: 'Wait for a job of Airbyte',
  description: 'Waits until a job has ended, and fails unless it succeeded.',
  properties: {
    jobId: need.text('The id of the job, such as `{{ outputs.sync.jobId }}`.'),
    maxDuration,
    pollFrequency,
  },
  metrics,
  output: { finalJobStatus: out.text('The state of the job.') },
  run: async (client, input, context) => ({
    finalJobStatus: await waitForJob(client, context, {
      id: Number(input.jobId),
      everyMs: input.pollFrequency,
      atMostMs: input.maxDuration,
    }),
  }),
  example: { jobId: '970' },
});

const cloud = defineService({
  name: 'Airbyte Cloud',
  prefix: 'airbyte.cloud.jobs',
  properties: {
    token: may.secret('An access token.'),
    clientId: may.text('The id of an application.'),
    clientSecret: may.secret('The secret of the application.'),
    tokenURL: preset.text(
      'https://api.airbyte.com/v1/applications/token',
      'Where applications get their token.',
    ),
    username: may.text('The user, for Basic authentication.'),
    password: may.secret('The password of the user.'),
  },
  baseUrl: 'https://api.airbyte.com/v1',
  auth: ({ token, clientId, clientSecret, tokenURL, username, password }) => {
    if (token) return bearer(token);
    if (clientId && clientSecret) return application(tokenURL, clientId, clientSecret);
    return username === undefined ? undefined : basic(username, password ?? '');
  },
  example: { token: "{{ secret('AIRBYTE_TOKEN') }}" },
});

const cloudJob = (type: 'Sync' | 'Reset', title: string, description: string) =>
  cloud.task({
    type,
    title,
    description,
    properties: { connectionId: need.text('The id of the connection.'), wait, maxDuration, pollFrequency },
    metrics: [
      { name: 'bytes_synced', type: 'counter', unit: 'bytes', description: 'How much was synced.' },
      { name: 'rows_synced', type: 'counter', description: 'How many rows were synced.' },
      { name: 'duration', type: 'timer', description: 'How long the job took.' },
    ],
    output: {
      job: out.map('The job: `jobId`, `status`, dates, `duration`, `bytesSynced` and `rowsSynced`.'),
    },
    run: async (client, input, context) => {
      const body = { connectionId: input.connectionId, jobType: type.toLowerCase() };
      let job = await client.ask({ method: 'POST', path: '/jobs', body });
      if (input.wait)
        job = await waitFor(context, {
          what: `The job ${job.jobId}`,
          everyMs: input.pollFrequency,
          atMostMs: input.maxDuration,
          poll: async () => {
            const found = await client.ask({ path: `/jobs/${job.jobId}` });
            return ['pending', 'running', 'incomplete'].includes(String(found.status)) ? undefined : found;
          },
        });
      if (typeof job.bytesSynced === 'number')
        context.metric({ name: 'bytes_synced', type: 'counter', value: job.bytesSynced });
      if (typeof job.rowsSynced === 'number')
        context.metric({ name: 'rows_synced', type: 'counter', value: job.rowsSynced });
      const tookMs = Date.parse(String(job.lastUpdatedAt)) - Date.parse(String(job.startTime));
      if (tookMs >= 0) context.metric({ name: 'duration', type: 'timer', value: tookMs });
      if (input.wait && job.status !== 'succeeded')
        throw new TaskFailed(`The job ${job.jobId} ended as ${job.status}.`);
      return { job };
    },
    example: { connectionId: 'e3b1ce92-547c-436f-b1e8-23b6936c12ab' },
  });

export const airbyteTypes = [
  sync,
  checkStatus,
  cloudJob(
    'Sync',
    'Run a sync of Airbyte Cloud',
    'Starts the sync of a connection, and waits until it has ended.',
  ),
  cloudJob(
    'Reset',
    'Reset a connection of Airbyte Cloud',
    'Deletes the data of a connection at its destination.',
  ),
];
