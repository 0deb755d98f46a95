import { randomUUID } from 'node:crypto';
import {
  type JsonMap,
  mapIn,
  mapsIn,
  nameOfUri,
  type TaskContext,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const flink = defineService({
  name: 'Flink',
  prefix: 'flink',
  properties: {
    restUrl: need.text('The address of the REST API of Flink, such as `http://jobmanager:8081`.'),
  },
  baseUrl: ({ restUrl }) => restUrl,
  example: { restUrl: 'http://flink.example.com:8081' },
});

const job = { jobId: need.text('The id of the job.') };
const jobPath = (jobId: string) => `/jobs/${encodeURIComponent(jobId)}`;
const pauseMs = 1_000;
const endStates = ['FINISHED', 'CANCELED', 'FAILED', 'SUSPENDED'];

/** Waits for a savepoint, and returns where it is. */
async function waitForSavepoint(
  client: RestClient,
  context: TaskContext,
  { jobId, requestId, timeoutSeconds }: { jobId: string; requestId: string; timeoutSeconds: number },
): Promise<string | undefined> {
  return waitFor(context, {
    what: `The savepoint of the job ${jobId}`,
    everyMs: pauseMs,
    atMostMs: timeoutSeconds * 1000,
    poll: async () => {
      const found = await client.ask({
        path: `${jobPath(jobId)}/savepoints/${encodeURIComponent(requestId)}`,
      });
      if (mapIn(found.status).id !== 'COMPLETED') return undefined;
      const { location, 'failure-cause': cause } = mapIn(found.operation);
      if (cause) {
        const reason = textOf(mapIn(cause)['stack-trace'])?.split('\n')[0] ?? textOf(mapIn(cause).class);
        throw new TaskFailed(`The savepoint of the job ${jobId} failed: ${reason}`);
      }
      return textOf(location) ?? '';
    },
  });
}

const stateOf = async (client: RestClient, jobId: string): Promise<string> =>
  textOf((await client.ask({ path: jobPath(jobId) })).state) ?? 'UNKNOWN';

const cancelJob = flink.task({
  type: 'CancelJob',
  title: 'Cancel a job of Flink',
  description:
    'Cancels a job and waits for its end. With a savepoint the job is stopped, so that it can continue from there.',
  properties: {
    ...job,
    withSavepoint: preset.flag(false, 'Take a savepoint first.'),
    savepointDir: may.text('Where the savepoint is stored; the directory of the cluster when absent.'),
    drainJob: preset.flag(
      false,
      'Emit the maximum watermark before the savepoint, for a job that will not be resumed.',
    ),
    cancellationTimeout: preset.integer(60, 'How many seconds to wait.'),
  },
  output: {
    jobId: out.text('The id of the job.'),
    savepointPath: out.text('Where the savepoint is.'),
    cancellationResult: out.text('The state of the job.'),
  },
  run: async (client, input, context) => {
    const { jobId, cancellationTimeout: timeoutSeconds } = input;
    let savepointPath: string | undefined;
    if (input.withSavepoint) {
      const body = { targetDirectory: input.savepointDir, drain: input.drainJob };
      const started = await client.ask({ method: 'POST', path: `${jobPath(jobId)}/stop`, body });
      const requestId = textOf(started['request-id']) ?? '';
      savepointPath = await waitForSavepoint(client, context, { jobId, requestId, timeoutSeconds });
    } else await client.send({ method: 'PATCH', path: jobPath(jobId), query: { mode: 'cancel' } });
    const cancellationResult = await waitFor(context, {
      what: `The job ${jobId}`,
      everyMs: pauseMs,
      atMostMs: timeoutSeconds * 1000,
      poll: async () => {
        const state = await stateOf(client, jobId);
        return endStates.includes(state) ? state : undefined;
      },
    });
    return { jobId, savepointPath, cancellationResult };
  },
  example: { jobId: 'a1b2', withSavepoint: true, savepointDir: 's3://flink/savepoints' },
});

const submit = flink.task({
  type: 'Submit',
  title: 'Submit a JAR to Flink',
  description: `Uploads a JAR and starts its job. The task does not wait for the end of the job.`,
  properties: {
    jarUri: need.text('The JAR: a file in internal storage, or the id of a JAR that was uploaded before.'),
    entryClass: need.text('The main class.'),
    args: may.texts('Arguments of the program.'),
    parallelism: may.integer('The parallelism of the job.'),
    restoreFromSavepoint: may.text('The savepoint to start from.'),
    allowNonRestoredState: preset.flag(
      false,
      'Start although the savepoint has state that the job does not use.',
    ),
    jobConfig: may.textMap('Configuration of the job.'),
  },
  output: { jobId: out.text('The id of the job.'), jarId: out.text('The id of the JAR.') },
  run: async (client, input, context) => {
    const { jarUri } = input;
    const isStored = /^(millrace|kestra):\/\//.test(jarUri);
    const jarId = isStored ? await upload(client, context, jarUri) : jarUri;
    const started = await client.ask({
      method: 'POST',
      path: `/jars/${encodeURIComponent(jarId)}/run`,
      body: {
        entryClass: input.entryClass,
        programArgsList: input.args,
        parallelism: input.parallelism,
        savepointPath: input.restoreFromSavepoint,
        allowNonRestoredState: input.allowNonRestoredState,
        flinkConfiguration: input.jobConfig,
      },
    });
    return { jobId: started.jobid, jarId };
  },
  example: { jarUri: '{{ inputs.file }}', entryClass: 'com.example.WordCount', parallelism: 2 },
});

/** Sends the file as a form with one part, and returns the id that Flink gives it. */
async function upload(client: RestClient, context: TaskContext, uri: string): Promise<string> {
  const boundary = randomUUID();
  const fileName = nameOfUri(uri).replace(/[^\w.-]/g, '_');
  const content = async function* () {
    yield Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="jarfile"; filename="${fileName}"\r\nContent-Type: application/x-java-archive\r\n\r\n`,
    );
    yield* await context.files.read(uri);
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  };
  const stored = await client.ask({
    method: 'POST',
    path: '/jars/upload',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    content: content(),
  });
  const name = textOf(stored.filename)?.split('/').at(-1);
  if (name === undefined) throw new TaskFailed('Flink did not name the JAR that it stored.');
  return name;
}

const triggerSavepoint = flink.task({
  type: 'TriggerSavepoint',
  title: 'Take a savepoint of a Flink job',
  description: 'Takes a savepoint and waits until it is complete.',
  properties: {
    ...job,
    targetDirectory: may.text('Where the savepoint is stored; the directory of the cluster when absent.'),
    cancelJob: preset.flag(false, 'Cancel the job afterwards.'),
    savepointTimeout: preset.integer(300, 'How many seconds to wait.'),
    formatType: preset.text('CANONICAL', 'The format: `CANONICAL` or `NATIVE`.'),
  },
  output: {
    jobId: out.text('The id of the job.'),
    savepointPath: out.text('Where the savepoint is.'),
    requestId: out.text('The id of the request.'),
  },
  run: async (client, input, context) => {
    const { jobId, savepointTimeout: timeoutSeconds } = input;
    const body = {
      'target-directory': input.targetDirectory,
      'cancel-job': input.cancelJob,
      formatType: input.formatType,
    };
    const started = await client.ask({ method: 'POST', path: `${jobPath(jobId)}/savepoints`, body });
    const requestId = textOf(started['request-id']) ?? '';
    const savepointPath = await waitForSavepoint(client, context, { jobId, requestId, timeoutSeconds });
    return { jobId, savepointPath, requestId };
  },
  example: { jobId: 'a1b2', targetDirectory: 's3://flink/savepoints' },
});

const gateway = defineService({
  name: 'the SQL gateway of Flink',
  prefix: 'flink',
  properties: { gatewayUrl: need.text('The address of the SQL gateway, such as `http://gateway:8083`.') },
  baseUrl: ({ gatewayUrl }) => `${gatewayUrl.replace(/\/+$/, '')}/v1`,
  example: { gatewayUrl: 'http://flink.example.com:8083' },
});

const submitSql = gateway.task({
  type: 'SubmitSql',
  title: 'Run a statement with the SQL gateway of Flink',
  description:
    'Opens a session, runs a statement, waits for its end and counts its rows. A streaming job continues after the task.',
  properties: {
    statement: need.text('The SQL statement.'),
    sessionName: may.text('The name of the session.'),
    sessionConfig: may.map('The session: `catalog`, `database` and a map `configuration`.'),
    connectionTimeout: preset.integer(30, 'How many seconds opening the session may take.'),
    statementTimeout: preset.integer(300, 'How many seconds the statement may take.'),
    acceptableStates: may.texts('States that count as success, by default `FINISHED`.'),
  },
  output: {
    operationHandle: out.text('The id of the operation.'),
    sessionHandle: out.text('The id of the session.'),
    resultCount: out.integer('How many rows the result has.'),
    status: out.text('The state of the operation.'),
  },
  run: async (client, input, context) => {
    const config = mapIn(input.sessionConfig);
    const { sessionHandle } = await client.ask({
      method: 'POST',
      path: '/sessions',
      body: { sessionName: input.sessionName, properties: mapIn(config.configuration) },
    });
    const session = `/sessions/${encodeURIComponent(String(sessionHandle))}`;
    const end = Date.now() + input.statementTimeout * 1000;
    const run = (statement: string) => runStatement(client, context, { session, statement, end });
    if (config.catalog !== undefined) await run(`USE CATALOG ${quote(config.catalog)}`);
    if (config.database !== undefined) await run(`USE ${quote(config.database)}`);
    const { operationHandle, status } = await run(input.statement);
    const accepted = input.acceptableStates ?? ['FINISHED'];
    if (!accepted.includes(status))
      throw new TaskFailed(`The statement ended as ${status}, expected ${accepted.join(' or ')}.`);
    const resultCount =
      status === 'FINISHED' ? await countRows(client, `${session}/operations/${operationHandle}`) : 0;
    return { operationHandle, sessionHandle, resultCount, status };
  },
  example: { statement: 'INSERT INTO sums SELECT sum(total) FROM orders' },
});

const quote = (name: unknown): string => `\`${String(name).replaceAll('`', '``')}\``;

async function runStatement(
  client: RestClient,
  context: TaskContext,
  { session, statement, end }: { readonly session: string; readonly statement: string; readonly end: number },
) {
  const started = await client.ask({ method: 'POST', path: `${session}/statements`, body: { statement } });
  const operationHandle = textOf(started.operationHandle) ?? '';
  const status = await waitFor(context, {
    what: 'The statement',
    everyMs: pauseMs,
    atMostMs: Math.max(end - Date.now(), 0),
    poll: async () => {
      const found = await client.ask({ path: `${session}/operations/${operationHandle}/status` });
      const state = textOf(found.status) ?? '';
      return ['FINISHED', 'CANCELED', 'CLOSED', 'ERROR', 'TIMEOUT'].includes(state) ? state : undefined;
    },
  });
  if (status === 'ERROR') {
    const reply = await client.send({
      path: `${session}/operations/${operationHandle}/result/0`,
      accepts: [400, 404, 500],
    });
    const errors = mapIn(reply.body).errors;
    const reason = Array.isArray(errors) ? String(errors.at(-1)).split('\n').find(Boolean) : '';
    throw new TaskFailed(`The statement failed: ${reason}`);
  }
  return { operationHandle, status };
}

async function countRows(client: RestClient, operation: string): Promise<number> {
  let count = 0;
  let path: string | undefined = `${operation}/result/0`;
  for (let pages = 0; path !== undefined && pages < 10_000; pages++) {
    const page: JsonMap = await client.ask({ path });
    count += mapsIn(mapIn(page.results).data).length;
    if (page.resultType === 'EOS') break;
    path = textOf(page.nextResultUri)?.replace(/^\/v\d+/, '');
  }
  return count;
}

const monitorJob = flink.trigger({
  type: 'MonitorJob',
  title: 'Start an execution when a job of Flink has ended',
  description:
    'Reads the state of a job every `interval` and starts one execution when it has ended. A job that failed fails the poll unless `failOnError` is false.',
  interval: 'PT10S',
  properties: {
    ...job,
    failOnError: preset.flag(true, 'Report a failed job as a failed poll, unless the state is expected.'),
    expectedTerminalStates: may.texts(
      'The states to wait for, by default all states of jobs that have ended.',
    ),
  },
  output: { jobId: out.text('The id of the job.'), state: out.text('The state of the job.') },
  poll: async (client, { jobId, failOnError, expectedTerminalStates }, context) => {
    const state = await stateOf(client, jobId);
    if (!endStates.includes(state) || context.memory === state) return undefined;
    const isExpected = (expectedTerminalStates ?? endStates).includes(state);
    if (!isExpected && state === 'FAILED' && failOnError)
      throw new TaskFailed(`The job ${jobId} of Flink has failed.`);
    if (!isExpected) return undefined;
    context.remember(state);
    return { jobId, state };
  },
  example: { jobId: 'a1b2' },
});

export const flinkTypes = [cancelJob, submit, submitSql, triggerSavepoint, monitorJob];
