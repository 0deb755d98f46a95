import {
  defineRunner,
  dropMissing,
  duration,
  findLostAttempt,
  flag,
  part,
  type RunnerJob,
  remoteJobName,
  type TaskContext,
  TaskFailed,
  text,
  waitFor,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AwsClient, AwsError } from '../client/awsClient.ts';
import { connectionProperties } from '../client/connection.ts';
import { openClient } from '../client/openClient.ts';
import { ContainerLog } from './containerLog.ts';
import { containersOf, FileExchange, inFolder } from './fileExchange.ts';

const resources = (memory: string, cpu: string) => ({
  memory: text().default(memory).describe('The memory in MiB.'),
  cpu: text().default(cpu).describe('The number of virtual processors.'),
});

const properties = {
  ...connectionProperties,
  computeEnvironmentArn: text()
    .optional()
    .describe('The compute environment, in which a queue is created when `jobQueueArn` is absent.'),
  jobQueueArn: text().optional().describe('The queue.'),
  executionRoleArn: text()
    .optional()
    .describe('The role that starts the containers. With it the job runs on Fargate, otherwise on EC2.'),
  taskRoleArn: text().optional().describe('The role of the containers; it must be able to use `bucket`.'),
  bucket: text()
    .optional()
    .describe('A bucket through which files are exchanged. Without it the working folder stays empty.'),
  resources: part({
    request: part(resources('2048', '1')).optional().describe('What the script gets.'),
  })
    .optional()
    .describe('What the containers get.'),
  waitUntilCompletion: duration().prefault('PT1H').describe('How long the job may take.'),
  completionCheckInterval: duration()
    .prefault('PT5S')
    .describe('The pause between two questions about its state.'),
  delete: flag().default(true).describe('Remove the job definition and the exchanged files afterwards.'),
  streamLogs: flag().default(true).describe('Copy the log of the job while it runs; otherwise at its end.'),
  resume: flag()
    .default(true)
    .describe('When the worker was lost while the job ran: wait for that job instead of starting another.'),
};

export const batchRunner = defineRunner({
  type: 'ee.aws.runner.Batch',
  aliases: ['io.kestra.plugin.aws.runner.Batch', 'io.kestra.plugin.ee.aws.runner.AwsBatch'],
  title: 'Run on AWS Batch',
  description: `Runs the script as a job of AWS Batch, on Fargate or EC2. With \`bucket\` the working folder is copied to the job through S3, by helper containers of
\`amazon/aws-cli\`, and back. The log comes from CloudWatch. Killing the task terminates the job.

Never run against AWS itself in the tests of the product: they check the requests against a double.`,
  input: () => z.object(properties),
  examples: [
    {
      title: 'A script on Fargate.',
      runs: false,
      code: `id: script_on_batch
namespace: company.team

tasks:
  - id: hello
    type: scripts.python.Script
    containerImage: python:3.13-slim
    taskRunner:
      type: ee.aws.runner.Batch
      region: eu-west-1
      accessKeyId: "{{ secret('AWS_ACCESS_KEY_ID') }}"
      secretKeyId: "{{ secret('AWS_SECRET_ACCESS_KEY') }}"
      jobQueueArn: arn:aws:batch:eu-west-1:123456789012:job-queue/scripts
      executionRoleArn: arn:aws:iam::123456789012:role/batch-execution
      taskRoleArn: arn:aws:iam::123456789012:role/batch-task
      bucket: my-bucket
    script: print("Hello from Batch")
`,
    },
  ],
  async run(context, input, job) {
    if (!job.containerImage) throw new TaskFailed('AWS Batch needs a "containerImage".', { retry: false });
    const client = await openClient(context, input, 'batch');
    const lost = input.resume ? await findLost(context, client, input) : undefined;
    const name = lost?.name ?? remoteJobName(context.run, context.run.attempt);
    const exchange = await FileExchange.open(context, input, name);
    const queue =
      input.jobQueueArn ??
      lost?.queue ??
      (await createQueue(client, context, name, input.computeEnvironmentArn));
    const platform = input.executionRoleArn === undefined ? 'EC2' : 'FARGATE';
    const definition =
      lost?.definition ?? (await register(client, name, platform, toTask(input, job, exchange)));
    try {
      if (!lost) await exchange?.upload(job.workingDirectory);
      const jobId = lost?.jobId ?? (await submit(client, { name, queue, definition }));
      await context.log(
        'INFO',
        lost
          ? `Waiting for the job ${jobId} of the lost worker.`
          : `The job ${jobId} is submitted to AWS Batch.`,
      );
      const exitCode = await followJob(context, client, { ...input, jobId }, job);
      await exchange?.download(job.workingDirectory);
      return { exitCode, signal: null, droppedBytes: { stdout: 0, stderr: 0 } };
    } finally {
      if (input.delete) {
        await post(client, 'deregisterjobdefinition', { jobDefinition: definition }, z.unknown(), true);
        await exchange?.clear();
        if (input.jobQueueArn === undefined) await removeQueue(client, queue);
      }
    }
  },
});

const Summaries = z.object({
  jobSummaryList: z
    .array(
      z.looseObject({
        jobId: z.string(),
        jobName: z.string(),
        status: z.string(),
        jobDefinition: z.string().nullish(),
      }),
    )
    .default([]),
});
const ended = ['SUCCEEDED', 'FAILED'];

/** The job of an earlier attempt that still runs. Its queue may be one that the attempt created. */
function findLost(context: TaskContext, client: AwsClient, { jobQueueArn }: Input) {
  return findLostAttempt(context, async (name) => {
    const queue = jobQueueArn ?? name;
    const body = { jobQueue: queue, filters: [{ name: 'JOB_NAME', values: [name] }] };
    const found = await post(client, 'listjobs', body, Summaries).catch((error: unknown) => {
      if (jobQueueArn === undefined && error instanceof AwsError) return undefined;
      throw error;
    });
    const job = found?.jobSummaryList.find(
      ({ jobName, status }) => jobName === name && !ended.includes(status),
    );
    return job?.jobDefinition ? { name, queue, jobId: job.jobId, definition: job.jobDefinition } : undefined;
  });
}

function post<S extends z.ZodType>(
  client: AwsClient,
  call: string,
  body: object,
  output: S,
  isCleanup = false,
) {
  const done = client.rest({ action: call, method: 'POST', path: `/v1/${call}`, isCleanup }, body, output);
  return isCleanup ? done.catch(() => undefined) : done;
}

async function createQueue(
  client: AwsClient,
  context: TaskContext,
  name: string,
  environment: string | undefined,
) {
  if (environment === undefined)
    throw new TaskFailed('One of "jobQueueArn" and "computeEnvironmentArn" must be given.', { retry: false });
  const body = {
    jobQueueName: name,
    priority: 10,
    computeEnvironmentOrder: [{ order: 1, computeEnvironment: environment }],
  };
  const made = await post(client, 'createjobqueue', body, z.object({ jobQueueArn: z.string() }));
  const arn = made?.jobQueueArn ?? '';
  const Queues = z.object({ jobQueues: z.array(z.looseObject({ status: z.string() })) });
  await waitFor(context, { intervalMs: 1000, maxMs: 120_000, what: 'The job queue' }, async () => {
    const found = await post(client, 'describejobqueues', { jobQueues: [arn] }, Queues);
    return found?.jobQueues[0]?.status === 'VALID' ? true : undefined;
  });
  return arn;
}

/** A queue can be deleted only after it is disabled, which takes a moment; a leftover queue costs nothing. */
async function removeQueue(client: AwsClient, jobQueue: string): Promise<void> {
  await post(client, 'updatejobqueue', { jobQueue, state: 'DISABLED' }, z.unknown(), true);
  await post(client, 'deletejobqueue', { jobQueue }, z.unknown(), true);
}

async function register(client: AwsClient, name: string, platform: string, task: object): Promise<string> {
  const made = await post(
    client,
    'registerjobdefinition',
    {
      jobDefinitionName: name,
      type: 'container',
      platformCapabilities: [platform],
      ecsProperties: { taskProperties: [task] },
    },
    z.object({ jobDefinitionArn: z.string() }),
  );
  return made?.jobDefinitionArn ?? '';
}

type Input = z.infer<z.ZodObject<typeof properties>>;

const sizeOf = (memory: string, cpu: string) => ({
  resourceRequirements: [
    { type: 'MEMORY', value: memory },
    { type: 'VCPU', value: cpu },
  ],
});

function toTask(input: Input, job: RunnerJob, exchange: FileExchange | undefined) {
  const folder = job.workingDirectory;
  const { memory, cpu } = input.resources?.request ?? { memory: '2048', cpu: '1' };
  const script = {
    image: job.containerImage,
    command: exchange ? inFolder(folder, job.command) : [...job.command],
    environment: Object.entries(job.env).map(([name, value]) => ({ name, value })),
    ...sizeOf(memory, cpu),
  };
  return {
    ...containersOf(script, folder, exchange, { size: sizeOf('512', '0.25') }),
    ...(input.executionRoleArn !== undefined && { networkConfiguration: { assignPublicIp: 'ENABLED' } }),
    ...dropMissing({ executionRoleArn: input.executionRoleArn, taskRoleArn: input.taskRoleArn }),
  };
}

const Container = z.looseObject({
  name: z.string().optional(),
  exitCode: z.number().nullish(),
  logStreamName: z.string().nullish(),
});
const Jobs = z.object({
  jobs: z.array(
    z.looseObject({
      status: z.string(),
      statusReason: z.string().nullish(),
      ecsProperties: z
        .looseObject({
          taskProperties: z.array(z.looseObject({ containers: z.array(Container).default([]) })),
        })
        .nullish(),
    }),
  ),
});

async function submit(
  client: AwsClient,
  { name, queue, definition }: { name: string; queue: string; definition: string },
): Promise<string> {
  const body = { jobName: name, jobQueue: queue, jobDefinition: definition };
  const submitted = await post(client, 'submitjob', body, z.object({ jobId: z.string() }));
  return submitted?.jobId ?? '';
}

async function followJob(
  context: TaskContext,
  client: AwsClient,
  { jobId, ...input }: Input & { readonly jobId: string },
  job: RunnerJob,
): Promise<number> {
  const logs = new ContainerLog(await openClient(context, input, 'logs'), '/aws/batch/job', (line) =>
    job.onStdout(Buffer.from(line)),
  );
  try {
    const waiting = {
      intervalMs: input.completionCheckInterval,
      maxMs: input.waitUntilCompletion,
      what: `The job ${jobId}`,
    };
    const { last, main } = await waitFor(context, waiting, async () => {
      const found = (await post(client, 'describejobs', { jobs: [jobId] }, Jobs))?.jobs[0];
      const containers = found?.ecsProperties?.taskProperties[0]?.containers ?? [];
      const main = containers.find(({ name }) => name === 'main');
      if (input.streamLogs) await logs.read(main?.logStreamName);
      return found && ended.includes(found.status) ? { last: found, main } : undefined;
    });
    await logs.readRest(main?.logStreamName);
    if (typeof main?.exitCode === 'number') return main.exitCode;
    if (last.status === 'SUCCEEDED') return 0;
    throw new TaskFailed(`The job ${jobId} failed: ${last.statusReason ?? 'no reason given'}`);
  } catch (error) {
    const reason = { jobId, reason: 'The task was killed.' };
    if (context.signal.aborted) await post(client, 'terminatejob', reason, z.unknown(), true);
    throw error;
  }
}
