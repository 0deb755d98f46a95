import {
  type FetchType,
  isMap,
  type JsonMap,
  mapIn,
  type TaskContext,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { waitFor } from '../rest/waitFor.ts';

/** The paths of the models below the address of the platform. */
const models = {
  FIELD_SERVICE_ROUTING: 'field-service-routing/v1/route-plans',
  EMPLOYEE_SCHEDULING: 'employee-scheduling/v1/schedules',
  PICKUP_DELIVERY_ROUTING: 'pickup-delivery-routing/v1/route-plans',
};

const timefold = defineService({
  name: 'Timefold',
  prefix: 'timefold',
  properties: {
    apiKey: need.secret('An API key of the model.'),
    model: need.choice(
      ['FIELD_SERVICE_ROUTING', 'EMPLOYEE_SCHEDULING', 'PICKUP_DELIVERY_ROUTING'],
      'The model of the platform.',
    ),
    baseUrl: preset.text('https://app.timefold.ai', 'The address of the platform.'),
  },
  baseUrl: ({ baseUrl, model }) => `${baseUrl.replace(/\/+$/, '')}/api/models/${models[model]}`,
  auth: ({ apiKey }) => ({ headers: { 'x-api-key': apiKey } }),
  example: { apiKey: "{{ secret('TIMEFOLD_API_KEY') }}", model: 'EMPLOYEE_SCHEDULING' },
});

const fetchType = preset.choice(
  ['STORE', 'FETCH', 'FETCH_ONE', 'NONE'],
  'STORE',
  'How to return the solution: a file (`STORE`), the output `modelOutput` (`FETCH`, `FETCH_ONE`) or nothing (`NONE`).',
);
const output = {
  jobId: out.text('The id of the dataset.'),
  uri: out.text('The file with the solution, with `STORE`.'),
  modelOutput: out.any('The solution, with `FETCH`.'),
  solverStatus: out.text('The state of the solver.'),
  score: out.text('The score of the solution.'),
};

async function keep(context: TaskContext, dataset: JsonMap, choice: FetchType): Promise<JsonMap> {
  const facts = isMap(dataset.metadata) ? dataset.metadata : dataset;
  const { modelOutput } = dataset;
  const hasSolution = modelOutput !== undefined && modelOutput !== null;
  return {
    jobId: facts.id,
    solverStatus: facts.solverStatus,
    score: facts.score,
    ...(hasSolution && choice === 'STORE'
      ? { uri: await context.files.put('solution.json', JSON.stringify(modelOutput)) }
      : {}),
    ...(hasSolution && choice.startsWith('FETCH') ? { modelOutput } : {}),
  };
}

const getDataset = timefold.task({
  type: 'GetDataset',
  title: 'Get a dataset of Timefold',
  description: 'Reads the state and the best solution of a dataset.',
  properties: { jobId: need.text('The id of the dataset.'), fetchType },
  output,
  run: async (client, { jobId, fetchType: choice }, context) =>
    keep(context, await client.ask({ path: `/${encodeURIComponent(jobId)}` }), choice),
  example: { jobId: 'd1' },
});

const running = [
  'DATASET_CREATED',
  'DATASET_VALIDATED',
  'DATASET_COMPUTED',
  'SOLVING_SCHEDULED',
  'SOLVING_STARTED',
  'SOLVING_ACTIVE',
  'NOT_STARTED',
];
const failed = ['SOLVING_FAILED', 'DATASET_INVALID'];

const solve = timefold.task({
  type: 'Solve',
  title: 'Solve a planning problem with Timefold',
  description:
    'Sends a dataset to a model. With `wait` the task waits for the end and keeps the solution; a solver that fails fails the task.',
  properties: {
    modelInput: need.any('The dataset: a map, or its JSON text.'),
    solveDuration: may.duration('How long the solver may take.'),
    runName: may.text('The name of the run.'),
    wait: preset.flag(false, 'Wait for the end.'),
    pollInterval: preset.duration('PT2S', 'The pause between two polls of the state.'),
    requestTimeout: preset.duration('PT10M', 'The longest wait; the task fails afterwards.'),
    fetchType,
  },
  output,
  metrics: [{ name: 'solved', type: 'counter', description: '1 when the solver has ended.' }],
  run: async (client, input, context) => {
    const { modelInput, solveDuration, runName } = input;
    const run = {
      ...(runName !== undefined && { name: runName }),
      ...(solveDuration !== undefined && { termination: { spentLimit: `PT${solveDuration / 1000}S` } }),
    };
    const body = {
      ...(Object.keys(run).length > 0 && { config: { run } }),
      modelInput: typeof modelInput === 'string' ? JSON.parse(modelInput) : modelInput,
    };
    const started = await client.ask({ method: 'POST', path: '', body });
    const jobId = textOf(mapIn(started.metadata).id) ?? textOf(started.id);
    if (jobId === undefined) throw new TaskFailed('Timefold did not name the dataset.');
    if (!input.wait) return keep(context, started, input.fetchType);
    const ended = await waitFor(context, {
      what: `The dataset ${jobId}`,
      everyMs: input.pollInterval,
      atMostMs: input.requestTimeout,
      poll: async () => {
        const found = await client.ask({ path: `/${encodeURIComponent(jobId)}` });
        const state = textOf(mapIn(found.metadata).solverStatus) ?? textOf(found.solverStatus) ?? '';
        if (failed.includes(state)) throw new TaskFailed(`The dataset ${jobId} ended as ${state}.`);
        return running.includes(state) ? undefined : found;
      },
    });
    context.metric({ name: 'solved', type: 'counter', value: 1 });
    return keep(context, ended, input.fetchType);
  },
  example: { wait: true, fetchType: 'FETCH', modelInput: { employees: [], shifts: [] } },
});

export const timefoldTypes = [getDataset, solve];
