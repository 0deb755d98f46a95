import {
  anything,
  choice,
  type Definition,
  duration,
  flag,
  mapOf,
  openTriggerState,
  TaskFailed,
  text,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Google, segment } from '../google/client.ts';
import {
  type Cloud,
  defineGcpTask,
  defineGcpTrigger,
  taskExample,
  triggerExample,
} from '../google/define.ts';
import { dropMissing, type Json, mapAt, mapsAt, textAt } from '../google/json.ts';
import { pollUntil } from '../google/wait.ts';

const locationProperty = () => text().describe('The region, such as `europe-west1`.');
const jobIdProperty = () => text().describe('The id of the job.');

const placeOf = async ({ project }: Cloud, location: string): Promise<string> =>
  `https://dataflow.googleapis.com/v1b3/projects/${segment(await project())}/locations/${segment(location)}`;

const launchProperties = {
  jobName: text().describe('The name of the job.'),
  parameters: mapOf(anything()).optional().describe('The parameters of the template.'),
  environment: mapOf(anything())
    .optional()
    .describe('The environment, such as `tempLocation` or `maxWorkers`.'),
  location: locationProperty(),
};

/** Parameters of a template are texts. */
const toTexts = (parameters: Json | undefined) =>
  parameters &&
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );

const launched = (answer: Json) => {
  const job = mapAt(answer, 'job');
  return { jobId: textAt(job, 'id') ?? '', jobState: textAt(job, 'currentState') ?? 'JOB_STATE_PENDING' };
};
const launchOutput = () =>
  z.object({
    jobId: z.string().describe('The id of the job.'),
    jobState: z.string().describe('Its state.'),
  });

const launchTemplate = defineGcpTask({
  type: 'gcp.dataflow.LaunchTemplate',
  title: 'Start a Dataflow job from a classic template',
  description: 'Starts a job and returns its id at once. `WaitForJob` waits for its end.',
  properties: {
    ...launchProperties,
    gcsPath: text().describe('The template, such as `gs://dataflow-templates/latest/Word_Count`.'),
  },
  output: launchOutput,
  examples: [
    taskExample(
      'gcp.dataflow.LaunchTemplate',
      'Count words.',
      'location: europe-west1\njobName: words\ngcsPath: gs://dataflow-templates/latest/Word_Count\nparameters:\n  inputFile: gs://my-bucket/in.txt\n  output: gs://my-bucket/out',
    ),
  ],
  async run(cloud, { jobName, parameters, environment, gcsPath, location }) {
    const body = dropMissing({ jobName, parameters: toTexts(parameters), environment });
    return launched(
      await cloud.google.post(`${await placeOf(cloud, location)}/templates:launch`, body, { gcsPath }),
    );
  },
});

const launchFlexTemplate = defineGcpTask({
  type: 'gcp.dataflow.LaunchFlexTemplate',
  title: 'Start a Dataflow job from a flex template',
  description: 'Starts a job and returns its id at once. `WaitForJob` waits for its end.',
  properties: {
    ...launchProperties,
    containerSpecGcsPath: text().describe('The template file, such as `gs://bucket/template.json`.'),
  },
  output: launchOutput,
  examples: [
    taskExample(
      'gcp.dataflow.LaunchFlexTemplate',
      'Start a job.',
      'location: europe-west1\njobName: load\ncontainerSpecGcsPath: gs://my-bucket/template.json',
    ),
  ],
  async run(cloud, { jobName, parameters, environment, containerSpecGcsPath, location }) {
    const launchParameter = dropMissing({
      jobName,
      containerSpecGcsPath,
      parameters: toTexts(parameters),
      environment,
    });
    return launched(
      await cloud.google.post(`${await placeOf(cloud, location)}/flexTemplates:launch`, { launchParameter }),
    );
  },
});

/** The counters of a job by their names. */
async function metricsOf(google: Google, url: string): Promise<Record<string, unknown>> {
  const metrics: Record<string, unknown> = {};
  for (const each of mapsAt(await google.get(`${url}/metrics`), 'metrics')) {
    const name = mapAt(each, 'name');
    // Values that are not final are there twice.
    if (textAt(mapAt(name, 'context'), 'tentative') === undefined)
      metrics[textAt(name, 'name') ?? ''] = each.scalar;
  }
  return metrics;
}

const getJob = defineGcpTask({
  type: 'gcp.dataflow.GetJob',
  title: 'Read the state of a Dataflow job',
  description: 'Returns the state, dates and metrics of a job.',
  properties: { jobId: jobIdProperty(), location: locationProperty() },
  output: () =>
    z.object({
      jobId: z.string().describe('The id of the job.'),
      currentState: z.string().optional().describe('Its state.'),
      currentStateTime: z.string().optional().describe('Since when.'),
      createTime: z.string().optional().describe('When it was created.'),
      type: z.string().optional().describe('`JOB_TYPE_BATCH` or `JOB_TYPE_STREAMING`.'),
      metrics: z.record(z.string(), z.unknown()).describe('Its metrics.'),
    }),
  examples: [
    taskExample(
      'gcp.dataflow.GetJob',
      'Read a job.',
      'jobId: 2026-01-31_00_00_00-1234\nlocation: europe-west1',
    ),
  ],
  async run(cloud, { jobId, location }) {
    const url = `${await placeOf(cloud, location)}/jobs/${segment(jobId)}`;
    const job = await cloud.google.get(url);
    return dropMissing({
      jobId,
      currentState: textAt(job, 'currentState'),
      currentStateTime: textAt(job, 'currentStateTime'),
      createTime: textAt(job, 'createTime'),
      type: textAt(job, 'type'),
      metrics: await metricsOf(cloud.google, url),
    });
  },
});

const cancelJob = defineGcpTask({
  type: 'gcp.dataflow.CancelJob',
  title: 'Cancel a Dataflow job',
  description:
    'Asks Dataflow to cancel a job, or with `drain` to finish the data that it has taken. It does not wait for the end.',
  properties: {
    jobId: jobIdProperty(),
    drain: flag().default(false).describe('Finish the data that was taken; for streaming jobs.'),
    location: locationProperty(),
  },
  output: () =>
    z.object({
      jobId: z.string().describe('The id of the job.'),
      currentState: z.string().optional().describe('Its state.'),
    }),
  examples: [
    taskExample(
      'gcp.dataflow.CancelJob',
      'Cancel a job.',
      'jobId: 2026-01-31_00_00_00-1234\nlocation: europe-west1',
    ),
  ],
  async run(cloud, { jobId, drain, location }) {
    const { body } = await cloud.google.json({
      url: `${await placeOf(cloud, location)}/jobs/${segment(jobId)}`,
      method: 'PUT',
      body: { requestedState: drain ? 'JOB_STATE_DRAINED' : 'JOB_STATE_CANCELLED' },
    });
    return dropMissing({ jobId, currentState: textAt(body, 'currentState') });
  },
});

const finalStates = new Set([
  'JOB_STATE_DONE',
  'JOB_STATE_FAILED',
  'JOB_STATE_CANCELLED',
  'JOB_STATE_UPDATED',
  'JOB_STATE_DRAINED',
]);

const waitForJob = defineGcpTask({
  type: 'gcp.dataflow.WaitForJob',
  title: 'Wait for a Dataflow job',
  description: 'Waits until a job has ended, and fails when the job has failed or was cancelled.',
  properties: {
    jobId: jobIdProperty(),
    pollInterval: duration().prefault('PT15S').describe('The pause between two polls.'),
    maxDuration: duration().prefault('PT1H').describe('How long the task waits.'),
    location: locationProperty(),
  },
  output: () =>
    z.object({
      jobId: z.string().describe('The id of the job.'),
      state: z.string().describe('Its state.'),
      metrics: z.record(z.string(), z.unknown()).describe('Its metrics.'),
    }),
  examples: [
    taskExample(
      'gcp.dataflow.WaitForJob',
      'Wait for a job.',
      'jobId: 2026-01-31_00_00_00-1234\nlocation: europe-west1',
    ),
  ],
  async run(cloud, input) {
    const { google } = cloud;
    const url = `${await placeOf(cloud, input.location)}/jobs/${segment(input.jobId)}`;
    const polling = {
      what: `The job ${input.jobId}`,
      intervalMs: input.pollInterval,
      maxMs: input.maxDuration,
    };
    const state = await pollUntil(google, polling, async () => {
      const now = textAt(await google.get(url), 'currentState') ?? '';
      return finalStates.has(now) ? now : undefined;
    });
    if (state === 'JOB_STATE_FAILED' || state === 'JOB_STATE_CANCELLED')
      throw new TaskFailed(`The job ${input.jobId} ended in ${state}.`);
    return { jobId: input.jobId, state, metrics: await metricsOf(google, url) };
  },
});

const jobStates = [
  'JOB_STATE_UNKNOWN',
  'JOB_STATE_STOPPED',
  'JOB_STATE_RUNNING',
  'JOB_STATE_DONE',
  'JOB_STATE_FAILED',
  'JOB_STATE_CANCELLED',
  'JOB_STATE_UPDATED',
  'JOB_STATE_DRAINING',
  'JOB_STATE_DRAINED',
  'JOB_STATE_PENDING',
  'JOB_STATE_CANCELLING',
  'JOB_STATE_QUEUED',
] as const;

const trigger = defineGcpTrigger({
  type: 'gcp.dataflow.Trigger',
  title: 'Start when a Dataflow job reaches a state',
  description:
    'Polls for jobs by the start of their name every `interval`, and starts an execution for the first one that has reached the state and was not seen in it before.',
  properties: {
    location: locationProperty(),
    jobNamePrefix: text().describe('The start of the name.'),
    targetState: choice(jobStates).default('JOB_STATE_DONE').describe('The state.'),
    lookback: duration().optional().describe('Only jobs that were created within this time.'),
    ...triggerStateProperties,
  },
  output: () =>
    z.object({
      jobId: z.string().describe('The id of the job.'),
      jobName: z.string().describe('Its name.'),
      state: z.string().describe('Its state.'),
    }),
  examples: [
    triggerExample(
      'gcp.dataflow.Trigger',
      'When a load has finished.',
      'location: europe-west1\njobNamePrefix: load-\ninterval: PT1M',
      '{{ trigger.jobId }}',
    ),
  ],
  async poll(cloud, input, context) {
    const { on, stateKey, stateTtl } = input;
    const state = await openTriggerState(context, { on, stateKey, stateTtl });
    const candidates = [];
    const url = `${await placeOf(cloud, input.location)}/jobs`;
    for await (const job of cloud.google.list({ url, query: { filter: 'ALL' } }, 'jobs')) {
      const created = Date.parse(textAt(job, 'createTime') ?? '');
      if (
        !textAt(job, 'name')?.startsWith(input.jobNamePrefix) ||
        textAt(job, 'currentState') !== input.targetState
      )
        continue;
      if (input.lookback !== undefined && created < Date.now() - input.lookback) continue;
      candidates.push({
        uri: textAt(job, 'id') ?? '',
        version: `${input.targetState}_${textAt(job, 'currentStateTime')}`,
        job,
      });
    }
    // Each execution handles one job; the next polls find the others.
    const [change] = state.changes(candidates, 1);
    await state.save();
    if (!change) return undefined;
    const { job } = change.candidate;
    return { jobId: textAt(job, 'id') ?? '', jobName: textAt(job, 'name') ?? '', state: input.targetState };
  },
});

export const dataflowTypes: readonly Definition[] = [
  launchTemplate,
  launchFlexTemplate,
  getJob,
  cancelJob,
  waitForJob,
  trigger,
];
