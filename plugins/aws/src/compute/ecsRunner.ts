import {
  choice,
  defineRunner,
  dropMissing,
  duration,
  findLostAttempt,
  flag,
  listOf,
  part,
  type RunnerJob,
  remoteJobName,
  type TaskContext,
  TaskFailed,
  text,
  waitFor,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import type { AwsClient } from '../client/awsClient.ts';
import { connectionProperties } from '../client/connection.ts';
import { openClient } from '../client/openClient.ts';
import { ContainerLog } from './containerLog.ts';
import { containersOf, FileExchange } from './fileExchange.ts';

const properties = {
  ...connectionProperties,
  cluster: text().default('default').describe('The cluster: its name or ARN.'),
  launchType: choice(['FARGATE', 'EC2', 'EXTERNAL'])
    .default('FARGATE')
    .describe('Where the task runs: on Fargate, or on instances of the cluster.'),
  subnets: listOf(text()).optional().describe('The subnets of the task. Fargate needs at least one.'),
  securityGroups: listOf(text()).optional().describe('The security groups of the task.'),
  assignPublicIp: flag()
    .default(true)
    .describe(
      'Give the task a public address on Fargate, which it needs to pull images without a NAT gateway.',
    ),
  executionRoleArn: text()
    .optional()
    .describe('The role that pulls the image and writes the log. Fargate needs it.'),
  taskRoleArn: text().optional().describe('The role of the containers; it must be able to use `bucket`.'),
  bucket: text()
    .optional()
    .describe('A bucket through which files are exchanged. Without it the working folder stays empty.'),
  logGroup: text()
    .default('/millrace/scripts')
    .describe('The log group of CloudWatch for the output. It is created when it is missing.'),
  resources: part({
    memory: text().default('2048').describe('The memory of the task in MiB.'),
    cpu: text().default('1024').describe('The CPU units of the task: 1024 are one virtual processor.'),
  })
    .optional()
    .describe('What the task gets. Fargate accepts certain pairs only.'),
  waitUntilCompletion: duration().prefault('PT1H').describe('How long the task may take.'),
  completionCheckInterval: duration()
    .prefault('PT5S')
    .describe('The pause between two questions about its state.'),
  delete: flag().default(true).describe('Remove the task definition and the exchanged files afterwards.'),
  resume: flag()
    .default(true)
    .describe('When the worker was lost while the task ran: wait for that task instead of starting another.'),
};
type Input = z.infer<z.ZodObject<typeof properties>>;

export const ecsRunner = defineRunner({
  type: 'ee.aws.runner.Ecs',
  aliases: ['io.kestra.plugin.aws.runner.Ecs'],
  title: 'Run on Amazon ECS',
  description: `Runs the script as a task of Amazon ECS, on Fargate or on instances of the cluster. With \`bucket\` the working folder is copied to the task through S3,
by helper containers of \`amazon/aws-cli\`, and back. The log comes from CloudWatch. Killing the task stops it on ECS.

Never run against AWS itself in the tests of the product: they check the requests against a double.`,
  input: () => z.object(properties),
  examples: [
    {
      title: 'A script on Fargate.',
      runs: false,
      code: `id: script_on_ecs
namespace: company.team

tasks:
  - id: hello
    type: scripts.python.Script
    containerImage: python:3.13-slim
    taskRunner:
      type: ee.aws.runner.Ecs
      region: eu-west-1
      accessKeyId: "{{ secret('AWS_ACCESS_KEY_ID') }}"
      secretKeyId: "{{ secret('AWS_SECRET_ACCESS_KEY') }}"
      cluster: scripts
      subnets:
        - subnet-0123456789abcdef0
      executionRoleArn: arn:aws:iam::123456789012:role/ecs-execution
      taskRoleArn: arn:aws:iam::123456789012:role/ecs-task
      bucket: my-bucket
    script: print("Hello from ECS")
`,
    },
  ],
  async run(context, input, job) {
    if (!job.containerImage) throw new TaskFailed('Amazon ECS needs a "containerImage".', { retry: false });
    if (input.launchType === 'FARGATE' && !input.subnets?.length)
      throw new TaskFailed('Fargate needs "subnets".', { retry: false });
    const client = await openClient(context, input, 'ecs');
    const lost = input.resume ? await findLost(context, client, input.cluster) : undefined;
    const name = lost?.name ?? remoteJobName(context.run, context.run.attempt);
    const exchange = await FileExchange.open(context, input, name);
    const definition = lost?.definition ?? (await register(client, name, input, job, exchange));
    try {
      if (!lost) await exchange?.upload(job.workingDirectory);
      const task = lost?.task ?? (await startTask(client, name, definition, input));
      await context.log(
        'INFO',
        lost ? `Waiting for the task ${task} of the lost worker.` : `The task ${task} is started on ECS.`,
      );
      const exitCode = await followTask(context, client, task, input, job);
      await exchange?.download(job.workingDirectory);
      return { exitCode, signal: null, droppedBytes: { stdout: 0, stderr: 0 }, details: { taskArn: task } };
    } finally {
      if (input.delete) {
        const body = { taskDefinition: definition };
        await client.json('DeregisterTaskDefinition', body, z.unknown(), { isCleanup: true }).catch(() => {});
        await exchange?.clear();
      }
    }
  },
});

const Task = z.looseObject({
  taskArn: z.string(),
  taskDefinitionArn: z.string().nullish(),
  lastStatus: z.string().nullish(),
  stoppedReason: z.string().nullish(),
  containers: z
    .array(
      z.looseObject({
        name: z.string().nullish(),
        exitCode: z.number().nullish(),
        reason: z.string().nullish(),
      }),
    )
    .default([]),
});
const Failure = z.looseObject({ reason: z.string().nullish(), detail: z.string().nullish() });
const Tasks = z.object({ tasks: z.array(Task).default([]), failures: z.array(Failure).default([]) });

const describeTasks = (client: AwsClient, cluster: string, tasks: readonly string[]) =>
  client.json('DescribeTasks', { cluster, tasks }, Tasks);

/** The task of an earlier attempt that still runs: a list without other filters has only tasks that should run. */
function findLost(context: TaskContext, client: AwsClient, cluster: string) {
  const Arns = z.object({ taskArns: z.array(z.string()).default([]) });
  return findLostAttempt(context, async (name) => {
    const { taskArns } = await client.json('ListTasks', { cluster, startedBy: name }, Arns);
    if (taskArns.length === 0) return undefined;
    const [task] = (await describeTasks(client, cluster, taskArns)).tasks;
    if (!task?.taskDefinitionArn || task.lastStatus === 'STOPPED') return undefined;
    return { name, task: task.taskArn, definition: task.taskDefinitionArn };
  });
}

async function register(
  client: AwsClient,
  name: string,
  input: Input,
  job: RunnerJob,
  exchange: FileExchange | undefined,
): Promise<string> {
  const { memory, cpu } = input.resources ?? { memory: '2048', cpu: '1024' };
  const [program, ...args] = job.command;
  const log = {
    logConfiguration: {
      logDriver: 'awslogs',
      options: {
        'awslogs-group': input.logGroup,
        'awslogs-region': client.region,
        'awslogs-stream-prefix': logPrefix,
        'awslogs-create-group': 'true',
      },
    },
  };
  const script = {
    image: job.containerImage,
    entryPoint: [program],
    command: args,
    environment: Object.entries(job.env).map(([key, value]) => ({ name: key, value })),
    ...(exchange && { workingDirectory: job.workingDirectory }),
    ...log,
  };
  const { containers, ...volumes } = containersOf(script, job.workingDirectory, exchange, {
    size: {},
    more: log,
  });
  const isFargate = input.launchType === 'FARGATE';
  const made = await client.json(
    'RegisterTaskDefinition',
    dropMissing({
      family: name,
      networkMode: isFargate ? 'awsvpc' : undefined,
      requiresCompatibilities: [input.launchType],
      cpu,
      memory,
      executionRoleArn: input.executionRoleArn,
      taskRoleArn: input.taskRoleArn,
      containerDefinitions: containers,
      ...volumes,
    }),
    z.object({ taskDefinition: z.looseObject({ taskDefinitionArn: z.string() }) }),
  );
  return made.taskDefinition.taskDefinitionArn;
}

async function startTask(
  client: AwsClient,
  name: string,
  taskDefinition: string,
  input: Input,
): Promise<string> {
  const { cluster, launchType, subnets, securityGroups } = input;
  const network = launchType === 'FARGATE' && {
    networkConfiguration: {
      awsvpcConfiguration: dropMissing({
        subnets,
        securityGroups,
        assignPublicIp: input.assignPublicIp ? 'ENABLED' : 'DISABLED',
      }),
    },
  };
  const body = {
    cluster,
    taskDefinition,
    launchType,
    count: 1,
    startedBy: name,
    clientToken: name,
    ...network,
  };
  const { tasks, failures } = await client.json('RunTask', body, Tasks);
  const [task] = tasks;
  if (task) return task.taskArn;
  const why = failures.map(({ reason, detail }) => detail ?? reason).join(', ');
  throw new TaskFailed(`Amazon ECS started no task: ${why || 'no reason given'}`);
}

const logPrefix = 'millrace';

async function followTask(
  context: TaskContext,
  client: AwsClient,
  taskArn: string,
  input: Input,
  job: RunnerJob,
): Promise<number> {
  const { cluster } = input;
  const stream = `${logPrefix}/main/${taskArn.split('/').at(-1)}`;
  const log = new ContainerLog(await openClient(context, input, 'logs'), input.logGroup, (line) =>
    job.onStdout(Buffer.from(line)),
  );
  try {
    const waiting = {
      intervalMs: input.completionCheckInterval,
      maxMs: input.waitUntilCompletion,
      what: `The task ${taskArn}`,
    };
    const stopped = await waitFor(context, waiting, async () => {
      const [task] = (await describeTasks(client, cluster, [taskArn])).tasks;
      await log.read(stream);
      return task?.lastStatus === 'STOPPED' ? task : undefined;
    });
    await log.readRest(stream);
    const main = stopped.containers.find(({ name }) => name === 'main');
    if (typeof main?.exitCode === 'number') return main.exitCode;
    const why = [main?.reason, stopped.stoppedReason].filter(Boolean).join(': ');
    throw new TaskFailed(`The task ${taskArn} ended before its container ran: ${why || 'no reason given'}`);
  } catch (error) {
    const body = { cluster, task: taskArn, reason: 'The task was killed or took too long.' };
    await client.json('StopTask', body, z.unknown(), { isCleanup: true }).catch(() => {});
    throw error;
  }
}
