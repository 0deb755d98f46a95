import { isMap, type JsonMap, mapIn, type TaskContext, TaskFailed, textOf } from '@millrace/plugin-kit';
import { type Auth, basic, bearer, clientCredentials } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

/** The id of Databricks as an application of Microsoft Entra ID, the same for all customers. */
const azureScope = '2ff814a6-3304-4ab8-85cb-cd0e6f879c1d/.default';

const databricks = defineService({
  name: 'Databricks',
  prefix: 'databricks',
  properties: {
    host: may.text('The address of the workspace, such as `https://acme.cloud.databricks.com`.'),
    accountId: may.text('The id of the account, for logins at the account.'),
    configFile: may.text('Not supported: give the login in `authentication`.'),
    authentication: may.secretMap(
      'The login: `token`; `clientId` and `clientSecret` of a service principal; `username` and `password`; or `azureTenantId`, `azureClientId` and `azureClientSecret`.',
    ),
  },
  baseUrl: ({ host }) => hostOf(host),
  auth: ({ host, accountId, authentication = {}, configFile }) => {
    if (configFile !== undefined)
      throw new TaskFailed('"configFile" is not supported; give the login in "authentication".', {
        retry: false,
      });
    return loginOf(hostOf(host), accountId, authentication);
  },
  example: {
    host: 'https://acme.cloud.databricks.com',
    authentication: { token: "{{ secret('DATABRICKS_TOKEN') }}" },
  },
});

export function hostOf(host: string | undefined): string {
  if (!host) throw new TaskFailed('"host" must be given: the address of the workspace.', { retry: false });
  return (/^https?:\/\//.test(host) ? host : `https://${host}`).replace(/\/+$/, '');
}

function loginOf(host: string, accountId: string | undefined, login: JsonMap): Auth | undefined {
  const value = (name: string) => textOf(login[name]);
  const { token, clientId, clientSecret } = {
    token: value('token'),
    clientId: value('clientId'),
    clientSecret: value('clientSecret'),
  };
  if (token) return bearer(token);
  if (clientId && clientSecret) {
    const path = accountId ? `/oidc/accounts/${encodeURIComponent(accountId)}/v1/token` : '/oidc/v1/token';
    return clientCredentials({
      tokenUrl: `${host}${path}`,
      clientId,
      clientSecret,
      scope: 'all-apis',
      sendWith: 'basic',
    });
  }
  const azure = {
    id: value('azureClientId'),
    secret: value('azureClientSecret'),
    tenant: value('azureTenantId'),
  };
  if (azure.id && azure.secret && azure.tenant)
    return clientCredentials({
      tokenUrl: `https://login.microsoftonline.com/${encodeURIComponent(azure.tenant)}/oauth2/v2.0/token`,
      clientId: azure.id,
      clientSecret: azure.secret,
      scope: azureScope,
    });
  const username = value('username');
  if (username) return basic(username, value('password') ?? '');
  if (login.googleCredentials || login.googleServiceAccount)
    throw new TaskFailed('Logins of Google are not supported; use a service principal of Databricks.', {
      retry: false,
    });
  return undefined;
}

const createCluster = databricks.task({
  type: 'cluster.CreateCluster',
  title: 'Create a cluster of Databricks',
  description: 'Creates a cluster and waits until it runs.',
  properties: {
    clusterName: need.text('The name of the cluster.'),
    sparkVersion: need.text('The version of the runtime, such as `15.4.x-scala2.12`.'),
    nodeTypeId: may.text('The type of the machines.'),
    autoTerminationMinutes: may.integer('The cluster ends after this number of minutes without work.'),
    numWorkers: may.integer('The number of workers; or `minWorkers` and `maxWorkers`.'),
    minWorkers: may.integer('The fewest workers of a cluster that scales.'),
    maxWorkers: may.integer('The most workers of a cluster that scales.'),
  },
  output: {
    clusterId: out.text('The id of the cluster.'),
    clusterURI: out.text('The page of the cluster.'),
    clusterState: out.text('Its state.'),
  },
  run: async (client, input, context) => {
    const scales = input.minWorkers !== undefined || input.maxWorkers !== undefined;
    const { cluster_id: id } = await client.ask({
      method: 'POST',
      path: '/api/2.1/clusters/create',
      body: {
        cluster_name: input.clusterName,
        spark_version: input.sparkVersion,
        node_type_id: input.nodeTypeId,
        autotermination_minutes: input.autoTerminationMinutes,
        num_workers: scales ? undefined : input.numWorkers,
        autoscale: scales ? { min_workers: input.minWorkers, max_workers: input.maxWorkers } : undefined,
      },
    });
    const clusterState = await waitFor(context, {
      what: `The cluster ${id}`,
      everyMs: 5000,
      atMostMs: 60 * 60_000,
      poll: async () => {
        const found = await client.ask({ path: '/api/2.1/clusters/get', query: { cluster_id: id } });
        const state = textOf(found.state);
        if (state === 'RUNNING') return state;
        if (state === 'TERMINATED' || state === 'TERMINATING' || state === 'ERROR')
          throw new TaskFailed(
            `The cluster ${id} is in state ${state}: ${textOf(found.state_message) ?? ''}`,
          );
        return undefined;
      },
    });
    return { clusterId: id, clusterURI: `${client.baseUrl}/compute/clusters/${id}`, clusterState };
  },
  example: {
    clusterName: 'nightly',
    sparkVersion: '15.4.x-scala2.12',
    nodeTypeId: 'i3.xlarge',
    numWorkers: 2,
    autoTerminationMinutes: 30,
  },
});

const deleteCluster = databricks.task({
  type: 'cluster.DeleteCluster',
  title: 'Delete a cluster of Databricks',
  description: 'Ends a cluster and deletes it permanently.',
  properties: { clusterId: need.text('The id of the cluster.') },
  request: 'POST /api/2.1/clusters/permanent-delete',
  body: { cluster_id: 'clusterId' },
  example: { clusterId: '0131-080000-abc123' },
});

const blockBytes = 1024 * 1024;

const upload = databricks.task({
  type: 'dbfs.Upload',
  title: 'Upload a file to DBFS',
  description:
    'Uploads a file of internal storage to the file system of Databricks, in blocks of 1 MB. A file that is there is replaced.',
  properties: {
    from: need.file('The file in internal storage.'),
    to: need.text('The path in DBFS, such as `/data/orders.csv`.'),
  },
  metrics: [{ name: 'file.size', type: 'counter', unit: 'bytes', description: 'The size of the file.' }],
  run: async (client, { from, to }, context) => {
    const post = (action: string, body: JsonMap) =>
      client.ask({ method: 'POST', path: `/api/2.0/dbfs/${action}`, body });
    const { handle } = await post('create', { path: to, overwrite: true });
    let size = 0;
    for await (const block of blocks(await context.files.read(from))) {
      size += block.length;
      await post('add-block', { handle, data: block.toString('base64') });
    }
    await post('close', { handle });
    context.metric({ name: 'file.size', type: 'counter', value: size });
    return {};
  },
  example: { from: '{{ inputs.file }}', to: '/data/orders.csv' },
});

async function* blocks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= blockBytes) {
      yield pending.subarray(0, blockBytes);
      pending = pending.subarray(blockBytes);
    }
  }
  if (pending.length > 0) yield pending;
}

const download = databricks.task({
  type: 'dbfs.Download',
  title: 'Download a file from DBFS',
  description: 'Stores a file of the file system of Databricks in internal storage.',
  properties: { from: need.text('The path in DBFS.') },
  metrics: [{ name: 'file.size', type: 'counter', unit: 'bytes', description: 'The size of the file.' }],
  output: { uri: out.text('The file in internal storage.') },
  run: async (client, { from }, context) => {
    let size = 0;
    async function* content(): AsyncGenerator<Uint8Array> {
      for (;;) {
        const query = { path: from, offset: size, length: blockBytes };
        const { bytes_read: count, data } = await client.ask({ path: '/api/2.0/dbfs/read', query });
        if (Number(count) > 0) yield Buffer.from(textOf(data) ?? '', 'base64');
        size += Number(count ?? 0);
        if (Number(count ?? 0) < blockBytes) return;
      }
    }
    const uri = await context.files.put(from.split('/').at(-1) || 'file', content());
    context.metric({ name: 'file.size', type: 'counter', value: size });
    return { uri };
  },
  example: { from: '/data/orders.csv' },
});

/** Waits for the end of a run and fails the task unless it succeeded. */
async function waitForRun(
  client: RestClient,
  context: TaskContext,
  runId: unknown,
  atMostMs: number,
): Promise<void> {
  await waitFor(context, {
    what: `The run ${runId}`,
    everyMs: 5000,
    atMostMs,
    poll: async () => {
      const { state } = await client.ask({ path: '/api/2.1/jobs/runs/get', query: { run_id: runId } });
      const { life_cycle_state: phase, result_state: result, state_message: message } = mapIn(state);
      if (!['TERMINATED', 'SKIPPED', 'INTERNAL_ERROR'].includes(String(phase))) return undefined;
      if (result === 'SUCCESS') return true;
      throw new TaskFailed(`The run ${runId} ended as ${result ?? phase}: ${textOf(message) ?? ''}`);
    },
  });
}

const waitForCompletion = may.duration(
  'How long to wait for the end of the run; the task does not wait when absent.',
);
const tasksDescription =
  'The tasks. Each has a `taskKey`, `existingClusterId`, `timeoutSeconds`, `dependsOn`, `libraries`, and one of `notebookTask`, `sparkJarTask`, `sparkPythonTask`, `sparkSubmitTask`, `pythonWheelTask`, `pipelineTask`, `runJobTask`, `sqlTask` and `dbtTask`.';

const createJob = databricks.task({
  type: 'job.CreateJob',
  title: 'Create a job of Databricks and run it',
  description: 'Creates a job, runs it once, and waits for the end of the run if you like.',
  properties: {
    jobName: may.text('The name of the job.'),
    waitForCompletion,
    jobTasks: need.maps(tasksDescription),
  },
  output: {
    jobId: out.integer('The id of the job.'),
    jobURI: out.text('The page of the job.'),
    runId: out.integer('The id of the run.'),
    runURI: out.text('The page of the run.'),
  },
  run: async (client, { jobName, waitForCompletion: atMostMs, jobTasks }, context) => {
    const post = (path: string, body: JsonMap) => client.ask({ method: 'POST', path, body });
    const { job_id: jobId } = await post('/api/2.1/jobs/create', {
      name: jobName,
      tasks: jobTasks.map(toJobTask),
    });
    const { run_id: runId } = await post('/api/2.1/jobs/run-now', { job_id: jobId });
    if (atMostMs !== undefined) await waitForRun(client, context, runId, atMostMs);
    const jobURI = `${client.baseUrl}/#job/${jobId}`;
    return { jobId, jobURI, runId, runURI: `${jobURI}/run/${runId}` };
  },
  example: {
    jobName: 'nightly',
    waitForCompletion: 'PT1H',
    jobTasks: [
      {
        taskKey: 'load',
        existingClusterId: '0131-080000-abc123',
        notebookTask: { notebookPath: '/Shared/load', baseParameters: { startDate: '2026-01-31' } },
      },
    ],
  },
});

const submitRun = databricks.task({
  type: 'job.SubmitRun',
  title: 'Run tasks on Databricks without a job',
  description: 'Submits a run of one or several tasks, and waits for its end if you like.',
  properties: {
    runName: may.text('The name of the run.'),
    waitForCompletion,
    runTasks: need.maps(tasksDescription),
  },
  output: { runId: out.integer('The id of the run.'), runURI: out.text('The page of the run.') },
  run: async (client, { runName, waitForCompletion: atMostMs, runTasks }, context) => {
    const body = { run_name: runName, tasks: runTasks.map(toJobTask) };
    const { run_id: runId } = await client.ask({ method: 'POST', path: '/api/2.1/jobs/runs/submit', body });
    if (atMostMs !== undefined) await waitForRun(client, context, runId, atMostMs);
    const { run_page_url: runURI } = await client.ask({
      path: '/api/2.1/jobs/runs/get',
      query: { run_id: runId },
    });
    return { runId, runURI };
  },
  example: {
    runName: 'one_off',
    runTasks: [
      {
        taskKey: 'load',
        existingClusterId: '0131-080000-abc123',
        sparkPythonTask: {
          pythonFile: 'dbfs:/load.py',
          sparkPythonTaskSource: 'WORKSPACE',
          parameters: ['a'],
        },
      },
    ],
  },
});

/** Maps with the user's own keys, which stay unchanged. */
const free = new Set(['base_parameters', 'named_parameters', 'job_parameters', 'parameters']);
const renamed: Readonly<Record<string, string>> = { _package: 'package', sparkPythonTaskSource: 'source' };
const snake = (name: string): string =>
  renamed[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A task in the form of the Jobs API. */
function toJobTask({ dependsOn, sqlTask, ...task }: JsonMap): JsonMap {
  const { queryId, ...sql } = mapIn(sqlTask);
  return {
    ...mapIn(toSnake(task)),
    ...(Array.isArray(dependsOn) && { depends_on: dependsOn.map((one) => ({ task_key: one })) }),
    ...(isMap(sqlTask) && {
      sql_task: { ...mapIn(toSnake(sql)), ...(queryId !== undefined && { query: { query_id: queryId } }) },
    }),
  };
}

function toSnake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnake);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const key = snake(name);
      return [key, free.has(key) ? readParameters(item) : toSnake(item)];
    }),
  );
}

/** Parameters may be written as the text of JSON. */
function readParameters(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const databricksTypes = [createCluster, deleteCluster, upload, download, createJob, submitRun];
