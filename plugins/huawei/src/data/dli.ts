import { listObjects } from '@millrace/plugin-aws/compatible';
import {
  collect,
  dropMissing,
  fetchRows,
  type JsonMap,
  mapIn,
  mapsIn,
  readJsonText,
  type TaskContext,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import { may, need, out, preset, type RestClient, waitFor } from '@millrace/plugin-saas/rest';
import { type Connection, huaweiService, projectOf, type Types } from '../client/connection.ts';
import { openObs } from '../obs/client.ts';

const service = huaweiService('Data Lake Insight', 'dli');

const query = service.task({
  type: 'dli.Query',
  title: 'Run a query with Data Lake Insight',
  description: `Runs a statement and waits for its end. Without \`outputLocation\` the result is read with the API, which returns 1,000 rows at most. With \`outputLocation\` the
service writes the whole result to OBS as JSON, and the task reads it there. A task that is killed cancels the query.`,
  properties: {
    sql: need.text('The statement.'),
    database: may.text('The database.'),
    queue: may.text('The queue; the default queue when absent.'),
    fetchType: preset.fetchType('STORE', 'rows'),
    outputLocation: may.text(
      'The folder in OBS for the result, such as `obs://my-bucket/results`; it must not exist.',
    ),
    conf: may.texts('Settings of the query, such as `spark.sql.shuffle.partitions=10`.'),
    tags: may.textMap('Tags of the query.'),
    maxDuration: preset.duration('PT1H', 'The longest wait; the task fails afterwards.'),
    interval: preset.duration('PT5S', 'The pause between two polls of the state of the query.'),
    obsEndpointOverride: may.text('The address of OBS instead of the one of the region.'),
    obsPathStyleAccess: preset.flag(false, 'Address buckets in the path instead of the host name.'),
    obsAuthType: preset.choice(['OBS', 'V2', 'V4'], 'OBS', 'How requests to OBS are signed.'),
  },
  output: {
    jobId: out.text('The id of the job.'),
    jobType: out.text('The type of the statement, such as `QUERY` or `DDL`.'),
    status: out.text('The state of the job.'),
    rows: out.maps('The rows, with `FETCH`.'),
    row: out.any('The first row, with `FETCH_ONE`; null when there is none.'),
    uri: out.text('The file with one row a line, with `STORE`.'),
    size: out.integer('How many rows there are.'),
  },
  metrics: [
    { name: 'dli.query.rows', type: 'counter', description: 'How many rows were read.' },
    { name: 'dli.query.duration', type: 'timer', description: 'How long the query took.' },
  ],
  run: async (client, input, context) => {
    const jobs = `/v1.0/${await projectOf(context, input)}/jobs`;
    const start = performance.now();
    const started = await client.ask({
      method: 'POST',
      path: `${jobs}/submit-job`,
      body: dropMissing({
        sql: input.sql,
        currentdb: input.database,
        queue_name: input.queue,
        conf: input.conf,
        tags: input.tags && Object.entries(input.tags).map(([key, value]) => ({ key, value })),
      }),
    });
    const jobId = textOf(started.job_id);
    if (started.is_success === false || jobId === undefined)
      throw new TaskFailed(`DLI refused the query: ${textOf(started.message) ?? JSON.stringify(started)}`, {
        retry: false,
      });
    const status = await waitForJob(client, context, `${jobs}/${jobId}`, input);
    context.metric({
      name: 'dli.query.duration',
      type: 'timer',
      value: Math.round(performance.now() - start),
    });
    const jobType = textOf(started.job_type);
    const isQuery = jobType === undefined || /^(QUERY|SELECT)$/i.test(jobType);
    if (!isQuery || input.fetchType === 'NONE') return { jobId, jobType, status };
    const rows =
      input.outputLocation === undefined
        ? previewRows(client, `${jobs}/${jobId}`, input.queue)
        : exportedRows(
            client,
            context,
            `${jobs}/${jobId}`,
            { ...input, outputLocation: input.outputLocation },
            jobs,
          );
    const done = await fetchRows(context, input.fetchType, rows);
    context.metric({ name: 'dli.query.rows', type: 'counter', value: done.size });
    return { jobId, jobType, status, ...done };
  },
  example: {
    sql: 'select region, count(*) as orders from orders group by region',
    database: 'shop',
    queue: 'reports',
  },
});

interface Waiting {
  readonly interval: number;
  readonly maxDuration: number;
}

async function waitForJob(
  client: RestClient,
  context: TaskContext,
  path: string,
  limits: Waiting,
): Promise<string> {
  const end = await waitFor(context, {
    what: 'The query of DLI',
    everyMs: limits.interval,
    atMostMs: limits.maxDuration,
    poll: async () => {
      const found = await client.ask({ path: `${path}/status` });
      return /^(FINISHED|FAILED|CANCELLED)$/i.test(textOf(found.status) ?? '') ? found : undefined;
    },
  }).catch(async (error: unknown) => {
    if (context.signal.aborted)
      await client.send({ method: 'DELETE', path, afterKill: true }).catch(() => {});
    throw error;
  });
  const status = textOf(end.status) ?? '';
  if (status.toUpperCase() !== 'FINISHED')
    throw new TaskFailed(`The query of DLI ended in the state ${status}: ${textOf(end.message) ?? ''}`, {
      retry: false,
    });
  return status;
}

/** The API names the columns once, each as a map from its name to its type. */
async function* previewRows(
  client: RestClient,
  path: string,
  queue: string | undefined,
): AsyncGenerator<Record<string, unknown>> {
  const result = await client.ask({ path: `${path}/preview`, query: { 'queue-name': queue } });
  const columns = mapsIn(result.schema).map((column) => Object.keys(column)[0] ?? '');
  for (const row of Array.isArray(result.rows) ? result.rows : [])
    yield Object.fromEntries(
      columns.map((name, index) => [name, Array.isArray(row) ? row[index] : undefined]),
    );
}

interface Export extends Connection, Waiting {
  readonly outputLocation: string;
  readonly queue?: string | undefined;
  readonly obsEndpointOverride?: string | undefined;
  readonly obsPathStyleAccess: boolean;
  readonly obsAuthType: 'OBS' | 'V2' | 'V4';
  readonly endpointSuffix?: string | undefined;
}

/** Exports the result to OBS and reads the files there, which have a map in JSON per line. */
async function* exportedRows(
  client: RestClient,
  context: TaskContext,
  path: string,
  input: Export,
  jobs: string,
): AsyncGenerator<Record<string, unknown>> {
  const [, bucket, folder = ''] = /^(?:obs|s3a):\/\/([^/]+)\/?(.*)$/.exec(input.outputLocation) ?? [];
  if (bucket === undefined)
    throw new TaskFailed(
      `"outputLocation" must look like "obs://bucket/folder", got "${input.outputLocation}".`,
      {
        retry: false,
      },
    );
  const started: JsonMap = await client.ask({
    method: 'POST',
    path: `${path}/export-result`,
    body: dropMissing({
      data_path: input.outputLocation,
      data_type: 'json',
      compress: 'none',
      export_mode: 'ErrorIfExists',
      queue_name: input.queue,
    }),
  });
  await waitForJob(client, context, `${jobs}/${textOf(started.job_id)}`, input);
  const obs = openObs(context, {
    ...input,
    endpointOverride: input.obsEndpointOverride,
    pathStyleAccess: input.obsPathStyleAccess || undefined,
    authType: input.obsAuthType,
  });
  const prefix = folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`;
  const entries = await collect(
    listObjects(obs, { bucket, prefix, maxKeys: 1000, filter: 'FILES', usesMarkers: true }),
  );
  for (const { key, size } of entries) {
    // Markers such as `_SUCCESS` have no rows.
    if (size === 0 || key.endsWith('/')) continue;
    const { body } = await obs.call({
      action: `GetObject of "${bucket}/${key}"`,
      method: 'GET',
      bucket,
      key,
    });
    for await (const line of linesOf(body)) yield { ...mapIn(readJsonText(line)) };
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}

export const dliTypes: Types = [query];
