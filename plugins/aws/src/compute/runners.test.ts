import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerDefinition } from '@millrace/plugin-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AwsDouble, type DoubleRequest, startAwsDouble } from '../testing/awsDouble.ts';
import { anAwsContext } from '../testing/runAws.ts';
import { batchRunner } from './batchRunner.ts';
import { ecsRunner } from './ecsRunner.ts';

let aws: AwsDouble;
beforeAll(async () => {
  aws = await startAwsDouble();
});
afterAll(() => aws.stop());

const prefix = 'millrace/millrace-run1-0';
const taskArn = 'arn:aws:ecs:eu-west-1:1:task/scripts/t1';

/** S3, CloudWatch, Batch and ECS around one job, which ends at the second question about its state. */
function anAccount({ isLeft = false, isStuck = false } = {}) {
  const objects = new Map<string, string>();
  let polls = isLeft ? 0 : -1;
  const isDone = () => polls > 0 && !isStuck;
  const onS3 = ({ method, path, query }: DoubleRequest) => {
    const key = path.slice('/my-bucket/'.length);
    if (method === 'PUT') objects.set(key, '');
    if (query['list-type']) {
      const keys = [...objects.keys()].filter((each) => each.startsWith(query.prefix ?? ''));
      const out = query.prefix?.endsWith('/out/') ? [`${query.prefix}made.txt`] : keys;
      const list = out.map(
        (each) => `<Contents><Key>${each}</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
      );
      return { body: `<ListBucketResult>${list.join('')}</ListBucketResult>` };
    }
    const body = method === 'GET' ? 'made there' : method === 'POST' ? '<DeleteResult/>' : '';
    return { body, headers: { etag: '"e"' } };
  };
  const onEcs = (action: string) => {
    if (action === 'ListTasks') return { taskArns: isLeft ? [taskArn] : [] };
    if (action === 'RegisterTaskDefinition') return { taskDefinition: { taskDefinitionArn: 'arn:d' } };
    const lastStatus = isDone() ? 'STOPPED' : 'RUNNING';
    const task = {
      taskArn,
      taskDefinitionArn: 'arn:d',
      lastStatus,
      containers: [{ name: 'main', exitCode: 3 }],
    };
    if (action === 'DescribeTasks') polls++;
    return { tasks: [task], failures: [] };
  };
  const onBatch = (path: string) => {
    const summary = { jobId: 'job1', jobName: 'millrace-run1-0', status: 'RUNNING', jobDefinition: 'arn:d' };
    if (path === '/v1/listjobs') return { jobSummaryList: isLeft ? [summary] : [] };
    if (path === '/v1/registerjobdefinition') return { jobDefinitionArn: 'arn:d' };
    if (path === '/v1/submitjob') return { jobId: 'job1' };
    if (path !== '/v1/describejobs') return {};
    polls++;
    const main = { name: 'main', exitCode: 3, logStreamName: 'stream' };
    return {
      jobs: [
        {
          status: isDone() ? 'FAILED' : 'RUNNING',
          ecsProperties: { taskProperties: [{ containers: [main] }] },
        },
      ],
    };
  };
  aws.respond((request) => {
    const { service, path, action, body } = request;
    if (service === 's3') return onS3(request);
    if (action === 'GetLogEvents')
      return { body: { events: body.nextToken ? [] : [{ message: 'hello' }], nextForwardToken: 't' } };
    return { body: service === 'ecs' ? onEcs(action) : onBatch(path) };
  });
}

const context = (attempt = 0) => {
  const made = anAwsContext();
  return { ...made, run: { ...made.run, taskRunId: 'run1', attempt } };
};

async function runScript(runner: RunnerDefinition, more: object, on = context()) {
  const workingDirectory = await on.workingDirectory();
  await writeFile(join(workingDirectory, 'in.txt'), 'text');
  let printed = '';
  const input = runner.input.parse({
    ...aws.connection,
    executionRoleArn: 'arn:e',
    bucket: 'my-bucket',
    completionCheckInterval: 'PT0.01S',
    ...more,
  });
  const end = await runner.run(on, input, {
    command: ['/bin/sh', '-c', 'echo hello'],
    workingDirectory,
    env: { A: '1' },
    containerImage: 'busybox',
    onStdout: (chunk) => {
      printed += Buffer.from(chunk).toString();
    },
    onStderr: () => {},
  });
  return { end, printed, workingDirectory };
}

const onBatch = { jobQueueArn: 'arn:q' };
const onEcs = { cluster: 'scripts', subnets: ['subnet-1'], taskRoleArn: 'arn:t' };
const calls = () => aws.requests.map(({ service, path, action }) => (service === 'ecs' ? action : path));
const sent = (name: string) =>
  aws.requests.find(({ path, action }) => path.endsWith(name) || action === name)?.body;

test('the Batch runner exchanges files through S3, copies the log and returns the exit code', async () => {
  anAccount();
  const { end, printed, workingDirectory } = await runScript(batchRunner, onBatch);
  expect([end.exitCode, printed]).toEqual([3, 'hello\n']);
  expect(await readFile(join(workingDirectory, 'made.txt'), 'utf8')).toBe('made there');
  const definition = JSON.stringify(sent('registerjobdefinition'));
  expect(definition).toContain('"image":"busybox"');
  expect(definition).toContain(`"${workingDirectory}","/bin/sh","-c","echo hello"]`);
  expect(calls()).toEqual(
    expect.arrayContaining([`/my-bucket/${prefix}/in/in.txt`, '/v1/deregisterjobdefinition']),
  );
});

test('the ECS runner exchanges files through S3, copies the log and returns the exit code', async () => {
  anAccount();
  const { end, printed, workingDirectory } = await runScript(ecsRunner, onEcs);
  expect(end).toMatchObject({ exitCode: 3, details: { taskArn } });
  expect(printed).toBe('hello\n');
  expect(await readFile(join(workingDirectory, 'made.txt'), 'utf8')).toBe('made there');
  expect(sent('RegisterTaskDefinition')).toMatchObject({
    family: 'millrace-run1-0',
    networkMode: 'awsvpc',
    cpu: '1024',
    memory: '2048',
    executionRoleArn: 'arn:e',
    taskRoleArn: 'arn:t',
    containerDefinitions: [
      {
        name: 'before',
        essential: false,
        command: ['s3', 'sync', `s3://my-bucket/${prefix}/in`, workingDirectory],
      },
      {
        name: 'main',
        essential: false,
        image: 'busybox',
        entryPoint: ['/bin/sh'],
        command: ['-c', 'echo hello'],
        workingDirectory,
        environment: [{ name: 'A', value: '1' }],
        dependsOn: [{ containerName: 'before', condition: 'SUCCESS' }],
        logConfiguration: {
          options: { 'awslogs-group': '/millrace/scripts', 'awslogs-region': 'eu-west-1' },
        },
      },
      { name: 'after', essential: true, dependsOn: [{ containerName: 'main', condition: 'COMPLETE' }] },
    ],
  });
  expect(sent('RunTask')).toMatchObject({
    cluster: 'scripts',
    taskDefinition: 'arn:d',
    launchType: 'FARGATE',
    startedBy: 'millrace-run1-0',
    networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-1'], assignPublicIp: 'ENABLED' } },
  });
  expect(sent('GetLogEvents')).toMatchObject({
    logGroupName: '/millrace/scripts',
    logStreamName: 'millrace/main/t1',
  });
  expect(calls()).toContain('DeregisterTaskDefinition');
});

test.each([
  { runner: batchRunner, more: onBatch, starts: '/v1/submitjob' },
  { runner: ecsRunner, more: onEcs, starts: 'RunTask' },
])('$runner.type waits for the job of a lost worker instead of starting another', async (each) => {
  anAccount({ isLeft: true });
  const { end, workingDirectory } = await runScript(each.runner, each.more, context(1));
  expect(end.exitCode).toBe(3);
  expect(calls()).not.toContain(each.starts);
  expect(await readFile(join(workingDirectory, 'made.txt'), 'utf8')).toBe('made there');
});

test.each([
  { runner: batchRunner, more: onBatch, stops: '/v1/terminatejob' },
  { runner: ecsRunner, more: onEcs, stops: 'StopTask' },
])('$runner.type stops the job of a killed task', async ({ runner, more, stops }) => {
  anAccount({ isStuck: true });
  const killed = context();
  const running = runScript(runner, more, killed);
  await expect.poll(() => calls().some((call) => /describejobs|DescribeTasks/.test(call))).toBe(true);
  killed.kill();
  await expect(running).rejects.toThrow();
  expect(calls()).toContain(stops);
});
