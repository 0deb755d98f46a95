import {
  type Definition,
  defineTask,
  dropMissing,
  duration,
  flag,
  mapOf,
  type TaskContext,
  TaskFailed,
  text,
  undoWhenKilled,
  waitFor,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import type { AwsClient } from '../client/awsClient.ts';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const Run = z.looseObject({
  Id: z.string(),
  JobName: z.string().optional(),
  JobRunState: z.string(),
  StartedOn: z.number().nullish(),
  CompletedOn: z.number().nullish(),
  LastModifiedOn: z.number().nullish(),
  ExecutionTime: z.number().nullish(),
  Timeout: z.number().nullish(),
  Attempt: z.number().nullish(),
  ErrorMessage: z.string().nullish(),
});
type Run = z.infer<typeof Run>;

const output = () =>
  z.object({
    jobName: z.string().describe('The job.'),
    jobRunId: z.string().describe('The id of the run.'),
    state: z.string().optional().describe('The state, such as `SUCCEEDED`.'),
    startedOn: z.string().optional().describe('When it started.'),
    completedOn: z.string().optional().describe('When it ended.'),
    lastModifiedOn: z.string().optional().describe('When it last changed.'),
    executionTime: z.number().optional().describe('How many seconds it used resources.'),
    timeout: z.number().optional().describe('Its time limit in minutes.'),
    attempt: z.number().optional().describe('Which attempt it is.'),
    errorMessage: z.string().optional().describe('Why it failed.'),
  });

const toDate = (seconds: number | null | undefined): string | undefined =>
  typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : undefined;

const toOutput = (jobName: string, run: Run) => ({
  jobName,
  jobRunId: run.Id,
  ...dropMissing({
    state: run.JobRunState,
    startedOn: toDate(run.StartedOn),
    completedOn: toDate(run.CompletedOn),
    lastModifiedOn: toDate(run.LastModifiedOn),
    executionTime: run.ExecutionTime,
    timeout: run.Timeout,
    attempt: run.Attempt,
    errorMessage: run.ErrorMessage,
  }),
});

const finalStates = new Set(['SUCCEEDED', 'STOPPED', 'FAILED', 'TIMEOUT', 'ERROR', 'EXPIRED']);

async function readRun(client: AwsClient, jobName: string, runId: string): Promise<Run> {
  const input = { JobName: jobName, RunId: runId };
  const { JobRun } = await client.json('GetJobRun', input, z.object({ JobRun: Run }));
  return JobRun;
}

const waitForRun = (
  context: TaskContext,
  client: AwsClient,
  jobName: string,
  runId: string,
  options: { interval: number; maxDuration?: number | undefined },
) =>
  waitFor(
    context,
    { intervalMs: options.interval, maxMs: options.maxDuration, what: `The run ${runId} of "${jobName}"` },
    async () => {
      const run = await readRun(client, jobName, runId);
      return finalStates.has(run.JobRunState) ? run : undefined;
    },
  );

const Stopped = z.looseObject({
  Errors: z
    .array(z.looseObject({ ErrorDetail: z.looseObject({ ErrorMessage: z.string().optional() }).optional() }))
    .optional(),
});

const jobProperty = text().describe('The name of the job.');
const intervalProperty = duration()
  .prefault('PT1S')
  .describe('The pause between two questions about its state.');

const start = defineTask({
  type: 'aws.glue.StartJobRun',
  title: 'Run a Glue job',
  description:
    'Starts a job and waits for its end. A run that does not succeed fails the task. Killing the task stops the run.',
  input: () =>
    z.object({
      ...taskConnection,
      jobName: jobProperty,
      arguments: mapOf(text()).optional().describe('Arguments of the job, such as `--day`.'),
      wait: flag().default(true).describe('Wait for the end.'),
      maxDuration: duration()
        .optional()
        .describe('How long to wait at most; as long as it takes when absent.'),
      interval: intervalProperty,
    }),
  output,
  sideEffects: true,
  examples: [
    taskExample('aws.glue.StartJobRun', 'Run a job.', [
      'jobName: load',
      'arguments:',
      '  --day: "2026-11-17"',
    ]),
  ],
  async run(context, input) {
    const { jobName } = input;
    const client = await openClient(context, input, 'glue');
    const { JobRunId: id } = await client.json(
      'StartJobRun',
      { JobName: jobName, ...dropMissing({ Arguments: input.arguments }) },
      z.object({ JobRunId: z.string() }),
      { once: true },
    );
    if (!input.wait) return toOutput(jobName, await readRun(client, jobName, id));
    const run = await undoWhenKilled(
      context,
      () => waitForRun(context, client, jobName, id, input),
      () =>
        client.json('BatchStopJobRun', { JobName: jobName, JobRunIds: [id] }, Stopped, { isCleanup: true }),
    );
    const outputs = toOutput(jobName, run);
    if (run.JobRunState !== 'SUCCEEDED')
      throw new TaskFailed(
        `The run ${id} of "${jobName}" ended as ${run.JobRunState}: ${run.ErrorMessage ?? 'no reason given'}`,
        { outputs },
      );
    return outputs;
  },
});

const get = defineTask({
  type: 'aws.glue.GetJobRun',
  title: 'Get the state of a Glue job run',
  description: 'Returns facts about a run; about the latest one without `runId`.',
  input: () =>
    z.object({
      ...taskConnection,
      jobName: jobProperty,
      runId: text().optional().describe('The id of the run; the latest when absent.'),
    }),
  output,
  sideEffects: true,
  examples: [taskExample('aws.glue.GetJobRun', 'Look at the latest run.', ['jobName: load'])],
  async run(context, { jobName, runId, ...connection }) {
    const client = await openClient(context, connection, 'glue');
    if (runId !== undefined) return toOutput(jobName, await readRun(client, jobName, runId));
    const input = { JobName: jobName, MaxResults: 1 };
    const { JobRuns } = await client.json(
      'GetJobRuns',
      input,
      z.object({ JobRuns: z.array(Run).default([]) }),
    );
    const [latest] = JobRuns;
    if (!latest) throw new TaskFailed(`The job "${jobName}" was never run.`, { retry: false });
    return toOutput(jobName, latest);
  },
});

const stop = defineTask({
  type: 'aws.glue.StopJobRun',
  title: 'Stop a Glue job run',
  description: 'Stops a run and waits until it has ended.',
  input: () =>
    z.object({
      ...taskConnection,
      jobName: jobProperty,
      jobRunId: text().describe('The id of the run.'),
      wait: flag().default(true).describe('Wait for the end.'),
      interval: intervalProperty,
    }),
  output,
  sideEffects: true,
  examples: [
    taskExample('aws.glue.StopJobRun', 'Stop a run.', ['jobName: load', 'jobRunId: jr_0123456789abcdef']),
  ],
  async run(context, { jobName, jobRunId, wait, interval, ...connection }) {
    const client = await openClient(context, connection, 'glue');
    const { Errors = [] } = await client.json(
      'BatchStopJobRun',
      { JobName: jobName, JobRunIds: [jobRunId] },
      Stopped,
    );
    const [error] = Errors;
    if (error)
      throw new TaskFailed(
        `Glue could not stop ${jobRunId}: ${error.ErrorDetail?.ErrorMessage ?? 'no reason given'}`,
      );
    if (!wait) return toOutput(jobName, await readRun(client, jobName, jobRunId));
    return toOutput(jobName, await waitForRun(context, client, jobName, jobRunId, { interval }));
  },
});

export const glueTypes: readonly Definition[] = [start, get, stop];
