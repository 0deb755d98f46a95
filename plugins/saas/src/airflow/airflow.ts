import { type JsonMap, TaskFailed } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need, requestOptions, waiting } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

const airflow = defineService({
  name: 'Airflow',
  prefix: 'airflow.dags',
  properties: {
    baseUrl: need.text('The address of the webserver of Airflow.'),
    headers: may.textMap('More headers of the requests.'),
    ...requestOptions,
  },
  baseUrl: ({ baseUrl }) => `${baseUrl.replace(/\/+$/, '')}/api/v1`,
  headers: ({ headers }) => headers ?? {},
  example: {
    baseUrl: 'https://airflow.example.com',
    options: { auth: { type: 'BASIC', username: 'millrace', password: "{{ secret('AIRFLOW_PASSWORD') }}" } },
  },
});

const trigger = airflow.task({
  type: 'TriggerDagRun',
  title: 'Run a DAG of Airflow',
  description:
    'Starts a run of a DAG with the REST API of Airflow 2, and waits for its end if you like. A run that fails fails the task.',
  properties: {
    dagId: need.text('The id of the DAG.'),
    body: may.map('The body of the request, such as `conf` and `dag_run_id`.'),
    ...waiting({ wait: false, every: 'PT1S', atMost: 'PT60M' }),
  },
  output: {
    dagId: out.text('The id of the DAG.'),
    dagRunId: out.text('The id of the run.'),
    state: out.text('The state of the run.'),
    started: out.text('When the run started.'),
    ended: out.text('When the run ended.'),
  },
  run: async (client, { dagId, body = {}, wait, pollFrequency, maxDuration }, context) => {
    const path = `/dags/${encodeURIComponent(dagId)}/dagRuns`;
    const started = await client.ask({ method: 'POST', path, body });
    if (!wait) return toOutputs(started);
    const id = String(started.dag_run_id);
    const ended = await waitFor(context, {
      what: `The run ${id}`,
      everyMs: pollFrequency,
      atMostMs: maxDuration,
      poll: async () => {
        const found = await client.ask({ path: `${path}/${encodeURIComponent(id)}` });
        return found.state === 'success' || found.state === 'failed' ? found : undefined;
      },
    });
    if (ended.state === 'failed')
      throw new TaskFailed(`The run ${id} of ${dagId} failed.`, { outputs: toOutputs(ended) });
    return toOutputs(ended);
  },
  example: { dagId: 'nightly', wait: true, body: { conf: { day: '2026-01-31' } } },
});

const toOutputs = (run: JsonMap): JsonMap => ({
  dagId: run.dag_id,
  dagRunId: run.dag_run_id,
  state: run.state,
  started: run.start_date,
  ended: run.end_date,
});

export const airflowTypes = [trigger];
