import { randomUUID } from 'node:crypto';
import {
  defineRunner,
  dropMissing,
  duration,
  flag,
  part,
  type RunnerJob,
  readInside,
  type TaskContext,
  TaskFailed,
  text,
  waitFor,
  walkInside,
  writeInside,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import type { AwsClient } from '../client/awsClient.ts';
import { type Connection, connectionProperties } from '../client/connection.ts';
import { openClient } from '../client/openClient.ts';
import { listObjects } from '../s3/listObjects.ts';
import { deleteObjects } from '../s3/objects.ts';
import { openS3, type S3 } from '../s3/s3.ts';
import { uploadObject } from '../s3/upload.ts';
import { BatchLogs } from './batchLogs.ts';

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
    const name = `millrace-${context.run.taskRunId}-${context.run.attempt}`
      .replace(/[^\w-]/g, '-')
      .slice(0, 120);
    const exchange =
      input.bucket === undefined ? undefined : await openExchange(context, input, input.bucket);
    const queue =
      input.jobQueueArn ?? (await createQueue(client, context, name, input.computeEnvironmentArn));
    const platform = input.executionRoleArn === undefined ? 'EC2' : 'FARGATE';
    const definition = await register(client, name, platform, toTask(input, job, exchange));
    try {
      if (exchange) await sendFiles(exchange, job.workingDirectory);
      const exitCode = await runJob(context, client, { ...input, name, queue, definition }, job);
      if (exchange) await fetchFiles(exchange, job.workingDirectory);
      return { exitCode, signal: null, droppedBytes: { stdout: 0, stderr: 0 } };
    } finally {
      if (input.delete) {
        await post(client, 'deregisterjobdefinition', { jobDefinition: definition }, z.unknown(), true);
        if (exchange) await clear(exchange);
        if (input.jobQueueArn === undefined) await removeQueue(client, queue);
      }
    }
  },
});

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

interface Exchange {
  readonly s3: S3;
  readonly bucket: string;
  readonly prefix: string;
}

async function openExchange(context: TaskContext, input: Connection, bucket: string): Promise<Exchange> {
  return {
    s3: await openS3(context, input),
    bucket,
    prefix: `millrace/${context.run.taskRunId}-${randomUUID()}`,
  };
}

type Input = z.infer<z.ZodObject<typeof properties>>;

const volume = 'work';
const requirement = (type: string, value: string) => ({ type, value });

/** The script, and before and after it a copy of the files. */
function toTask(input: Input, job: RunnerJob, exchange: Exchange | undefined) {
  const folder = job.workingDirectory;
  const { memory, cpu } = input.resources?.request ?? { memory: '2048', cpu: '1' };
  const mounts = exchange && { mountPoints: [{ sourceVolume: volume, containerPath: folder }] };
  const address = exchange && `s3://${exchange.bucket}/${exchange.prefix}`;
  const helper = (name: string, script: string, dependsOn: object[]) => ({
    name,
    image: 'amazon/aws-cli:latest',
    essential: false,
    command: ['s3', 'sync', ...script.split(' ')],
    resourceRequirements: [requirement('MEMORY', '512'), requirement('VCPU', '0.25')],
    dependsOn,
    ...mounts,
  });
  const script = {
    name: 'main',
    image: job.containerImage,
    essential: !exchange,
    command: [...job.command],
    environment: Object.entries(job.env).map(([name, value]) => ({ name, value })),
    resourceRequirements: [requirement('MEMORY', memory), requirement('VCPU', cpu)],
    ...(exchange && { dependsOn: [{ containerName: 'before', condition: 'SUCCESS' }] }),
    ...mounts,
  };
  const containers = address
    ? [
        helper('before', `${address}/in ${folder}`, []),
        script,
        {
          ...helper('after', `${folder} ${address}/out`, [{ containerName: 'main', condition: 'COMPLETE' }]),
          essential: true,
        },
      ]
    : [script];
  return {
    containers,
    ...(input.executionRoleArn !== undefined && { networkConfiguration: { assignPublicIp: 'ENABLED' } }),
    ...(exchange && { volumes: [{ name: volume, host: {} }] }),
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

interface Submission extends Input {
  readonly name: string;
  readonly queue: string;
  readonly definition: string;
}

async function runJob(
  context: TaskContext,
  client: AwsClient,
  input: Submission,
  job: RunnerJob,
): Promise<number> {
  const body = { jobName: input.name, jobQueue: input.queue, jobDefinition: input.definition };
  const submitted = await post(client, 'submitjob', body, z.object({ jobId: z.string() }));
  const jobId = submitted?.jobId ?? '';
  await context.log('INFO', `The job ${jobId} is submitted to AWS Batch.`);
  const logs = new BatchLogs(await openClient(context, input, 'logs'), (line) =>
    job.onStdout(Buffer.from(line)),
  );
  try {
    const waiting = {
      intervalMs: input.completionCheckInterval,
      maxMs: input.waitUntilCompletion,
      what: `The job ${jobId}`,
    };
    const { ended, main } = await waitFor(context, waiting, async () => {
      const found = (await post(client, 'describejobs', { jobs: [jobId] }, Jobs))?.jobs[0];
      const containers = found?.ecsProperties?.taskProperties[0]?.containers ?? [];
      const main = containers.find(({ name }) => name === 'main');
      if (input.streamLogs) await logs.read(main?.logStreamName);
      const isDone = found?.status === 'SUCCEEDED' || found?.status === 'FAILED';
      return found && isDone ? { ended: found, main } : undefined;
    });
    await logs.readRest(main?.logStreamName);
    if (typeof main?.exitCode === 'number') return main.exitCode;
    if (ended.status === 'SUCCEEDED') return 0;
    throw new TaskFailed(`The job ${jobId} failed: ${ended.statusReason ?? 'no reason given'}`);
  } catch (error) {
    const reason = { jobId, reason: 'The task was killed.' };
    if (context.signal.aborted) await post(client, 'terminatejob', reason, z.unknown(), true);
    throw error;
  }
}

async function sendFiles({ s3, bucket, prefix }: Exchange, folder: string): Promise<void> {
  for await (const { path, isLink } of walkInside(folder)) {
    if (isLink) continue;
    const content = readInside(folder, path);
    await uploadObject(s3, { bucket, key: `${prefix}/in/${path}`, content, headers: {} });
  }
}

async function fetchFiles({ s3, bucket, prefix }: Exchange, folder: string): Promise<void> {
  const from = `${prefix}/out/`;
  for await (const { key } of listObjects(s3, { bucket, prefix: from, maxKeys: 1000, filter: 'FILES' })) {
    const response = await s3.call({ action: `GetObject of "${key}"`, method: 'GET', bucket, key });
    await writeInside(folder, key.slice(from.length), response.body);
  }
}

async function clear({ s3, bucket, prefix }: Exchange): Promise<void> {
  if (s3.context.signal.aborted) return;
  const keys: string[] = [];
  for await (const { key } of listObjects(s3, { bucket, prefix, maxKeys: 1000, filter: 'BOTH' }))
    keys.push(key);
  for (let start = 0; start < keys.length; start += 1000)
    await deleteObjects(s3, bucket, keys.slice(start, start + 1000));
}
