import { randomUUID } from 'node:crypto';
import { dropMissing, type JsonMap, mapIn, mapsIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

/*
 * Temporal over its HTTP API, which the frontend serves since version 1.22 beside gRPC. Arguments and results are plain
 * JSON there.
 */

const temporal = defineService({
  name: 'Temporal',
  prefix: 'temporal.workflow',
  properties: {
    endpoint: need.text(
      'The HTTP API of the server, such as `http://temporal.example.com:7243`. The port 7233 of gRPC means 7243.',
    ),
    namespace: preset.text('default', 'The namespace.'),
    apiKey: may.secret('An API key.'),
    caCert: may.text('The certificate authority of the server, as PEM.'),
    clientCert: may.text('The certificate of the client, as PEM.'),
    clientKey: may.secret('The private key of the client, as PEM.'),
  },
  baseUrl: (input) => `${httpAddress(input)}/api/v1/namespaces/${encodeURIComponent(input.namespace)}`,
  auth: ({ apiKey }) => (apiKey === undefined ? undefined : bearer(apiKey)),
  certificates: ({ caCert: ca, clientCert: cert, clientKey: key }) =>
    ca === undefined && cert === undefined ? undefined : dropMissing({ ca, cert, key }),
  example: { endpoint: 'http://temporal.example.com:7243' },
});

interface Address {
  readonly endpoint: string;
  readonly caCert?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly apiKey?: string | undefined;
}

function httpAddress({ endpoint, caCert, clientCert, apiKey }: Address): string {
  const usesTls = caCert !== undefined || clientCert !== undefined || apiKey !== undefined;
  const written = endpoint.includes('://') ? endpoint : `${usesTls ? 'https' : 'http'}://${endpoint}`;
  if (!URL.canParse(written)) return written;
  const url = new URL(written);
  if (url.port === '7233') url.port = '7243';
  return url.origin;
}

const workflow = {
  workflowId: need.text('The id of the workflow.'),
  runId: may.text('The id of the run; the last one when absent.'),
};
const args = may.list('The arguments, as values or as JSON text.');
/** A text that is JSON is sent as its value. */
const payloads = (values: readonly unknown[] | undefined): readonly unknown[] => (values ?? []).map(readJson);

function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A result as text: a text as it is, anything else as JSON. */
function resultText(payload: unknown): string | undefined {
  const value = Array.isArray(payload) && payload.length === 1 ? payload[0] : payload;
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const path = (workflowId: string) => `/workflows/${encodeURIComponent(workflowId)}`;
const runOf = (runId: string | undefined): JsonMap =>
  runId === undefined ? {} : { 'execution.runId': runId };

const query = temporal.task({
  type: 'Query',
  title: 'Query a workflow of Temporal',
  description: 'Runs a query of a workflow and returns its result.',
  properties: { ...workflow, queryType: need.text('The name of the query.'), args },
  output: { result: out.text('The result; JSON unless it is a text.') },
  run: async (client, { workflowId, runId, queryType, args: given }) => {
    const reply = await client.ask({
      method: 'POST',
      path: `${path(workflowId)}/query/${encodeURIComponent(queryType)}`,
      body: {
        ...(runId !== undefined && { execution: { workflowId, runId } }),
        query: { queryArgs: payloads(given) },
      },
    });
    return { result: resultText(reply.queryResult) };
  },
  example: { workflowId: 'order-1', queryType: 'getStatus' },
});

const signal = temporal.task({
  type: 'Signal',
  title: 'Send a signal to a workflow of Temporal',
  description: 'Sends a signal with arguments.',
  properties: { ...workflow, signalName: need.text('The name of the signal.'), args },
  run: async (client, { workflowId, runId, signalName, args: given }) => {
    await client.send({
      method: 'POST',
      path: `${path(workflowId)}/signal/${encodeURIComponent(signalName)}`,
      body: {
        ...(runId !== undefined && { workflowExecution: { workflowId, runId } }),
        input: payloads(given),
      },
    });
    return {};
  },
  example: { workflowId: 'order-1', signalName: 'approve', args: ['ada'] },
});

const trigger = temporal.task({
  type: 'Trigger',
  title: 'Start a workflow of Temporal',
  description: 'Starts a workflow. The task does not wait for its end: use `temporal.workflow.Wait`.',
  properties: {
    workflowType: need.text('The type of the workflow.'),
    taskQueue: need.text('The task queue of its workers.'),
    workflowId: may.text('The id of the workflow; a random one when absent.'),
    input: may.list('The arguments, as values or as JSON text.'),
    executionTimeout: may.duration('How long the workflow may take.'),
  },
  output: { workflowId: out.text('The id of the workflow.'), runId: out.text('The id of the run.') },
  run: async (client, { workflowType, taskQueue, input, executionTimeout, ...given }) => {
    const workflowId = given.workflowId ?? randomUUID();
    const { runId } = await client.ask({
      method: 'POST',
      path: path(workflowId),
      body: {
        workflowType: { name: workflowType },
        taskQueue: { name: taskQueue },
        input: payloads(input),
        requestId: randomUUID(),
        ...(executionTimeout !== undefined && { workflowExecutionTimeout: `${executionTimeout / 1000}s` }),
      },
    });
    return { workflowId, runId };
  },
  example: {
    workflowType: 'ProcessOrder',
    taskQueue: 'orders',
    workflowId: 'order-1',
    input: ['{"order": 1}'],
  },
});

const schedule = temporal.task({
  type: 'Schedule',
  title: 'Create a schedule in Temporal',
  description:
    'Creates a schedule that starts a workflow. A schedule that exists is replaced with `overwrite`.',
  properties: {
    scheduleId: need.text('The id of the schedule.'),
    cron: may.text('The cron expression.'),
    intervalSeconds: may.integer('The interval in seconds, instead of `cron`.'),
    workflowType: need.text('The type of the workflow.'),
    taskQueue: need.text('The task queue of its workers.'),
    args,
    overwrite: preset.flag(false, 'Replace a schedule with this id.'),
  },
  output: { scheduleId: out.text('The id of the schedule.') },
  run: async (client, input) => {
    const { scheduleId, cron, intervalSeconds, workflowType, taskQueue, overwrite } = input;
    if ((cron === undefined) === (intervalSeconds === undefined))
      throw new TaskFailed('Exactly one of "cron" and "intervalSeconds" must be given.', { retry: false });
    const body = {
      schedule: {
        spec:
          cron === undefined ? { interval: [{ interval: `${intervalSeconds}s` }] } : { cronString: [cron] },
        action: {
          startWorkflow: {
            workflowId: scheduleId,
            workflowType: { name: workflowType },
            taskQueue: { name: taskQueue },
            input: payloads(input.args),
          },
        },
      },
      requestId: randomUUID(),
    };
    const at = `/schedules/${encodeURIComponent(scheduleId)}`;
    const created = await client.send({ method: 'POST', path: at, body, accepts: overwrite ? [409] : [] });
    if (created.status === 409) await client.send({ method: 'POST', path: `${at}/update`, body });
    return { scheduleId };
  },
  example: { scheduleId: 'nightly', cron: '0 2 * * *', workflowType: 'CloseDay', taskQueue: 'orders' },
});

const statusOf = async (
  client: RestClient,
  workflowId: string,
  runId: string | undefined,
): Promise<string> => {
  const { workflowExecutionInfo } = await client.ask({ path: path(workflowId), query: runOf(runId) });
  return (textOf(mapIn(workflowExecutionInfo).status) ?? '').replace('WORKFLOW_EXECUTION_STATUS_', '');
};

const wait = temporal.task({
  type: 'Wait',
  title: 'Wait for the end of a workflow of Temporal',
  description: 'Waits until a workflow has ended, and returns its result.',
  properties: {
    ...workflow,
    pollInterval: preset.duration('PT5S', 'The pause between two polls.'),
    waitTimeout: may.duration('The longest wait; the task fails afterwards.'),
    failOnNonCompleted: preset.flag(true, 'Fail when the workflow ended in another way than COMPLETED.'),
  },
  output: {
    status: out.text('How the workflow ended, such as `COMPLETED` or `FAILED`.'),
    result: out.text('The result; JSON unless it is a text.'),
  },
  run: async (client, { workflowId, runId, pollInterval, waitTimeout, failOnNonCompleted }, context) => {
    const status = await waitFor(context, {
      what: `The workflow ${workflowId}`,
      everyMs: pollInterval,
      atMostMs: waitTimeout ?? Number.POSITIVE_INFINITY,
      poll: async () => {
        const found = await statusOf(client, workflowId, runId);
        return found === 'RUNNING' || found === '' ? undefined : found;
      },
    });
    if (status !== 'COMPLETED') {
      if (failOnNonCompleted) throw new TaskFailed(`The workflow ${workflowId} ended as ${status}.`);
      return { status };
    }
    const { history } = await client.ask({
      path: `${path(workflowId)}/history`,
      query: { historyEventFilterType: 'HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT', ...runOf(runId) },
    });
    const [end] = mapsIn(mapIn(history).events);
    return { status, result: resultText(mapIn(end?.workflowExecutionCompletedEventAttributes).result) };
  },
  example: { workflowId: 'order-1', waitTimeout: 'PT1H' },
});

export const temporalTypes = [query, signal, trigger, schedule, wait];
