import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AzureDouble, account, key, startAzureDouble } from '../testing/azureDouble.ts';
import { anAzureContext, runAzure } from '../testing/runAzure.ts';

let azure: AzureDouble;
beforeAll(async () => {
  azure = await startAzureDouble();
});
afterAll(() => azure.stop());

const connection = () => ({ endpoint: azure.url, account, accessKey: key, poolId: 'workers' });

/** An account whose tasks end at the second poll; the first one shows half of what they print. */
function anAccount(files: Readonly<Record<string, string>>, { exitCode = 0, isStuck = false } = {}) {
  const jobs = new Map<string, { job: object; tasks: { id: string; commandLine: string }[] }>();
  let polls = 0;
  azure.respond(({ method, path, body, headers, query }) => {
    const refuse = (status: number, code: string) => ({
      status,
      body: { code, message: { lang: 'en-US', value: `${code}!` } },
    });
    const [, , jobId = '', part, taskId, , ...rest] = path.split('/');
    const file = rest.join('/');
    const job = jobs.get(jobId);
    if (path === '/jobs') {
      const sent = JSON.parse(body.toString());
      if (jobs.has(sent.id)) return refuse(409, 'JobExists');
      jobs.set(sent.id, { job: sent, tasks: [] });
      return { status: 201 };
    }
    if (!job) return refuse(404, 'JobNotFound');
    if (part === 'addtaskcollection') {
      const { value } = JSON.parse(body.toString()) as { value: { id: string; commandLine: string }[] };
      const results = value.map((task) => {
        if (job.tasks.some(({ id }) => id === task.id))
          return {
            taskId: task.id,
            status: 'clienterror',
            error: { code: 'TaskExists', message: { value: 'exists' } },
          };
        job.tasks.push(task);
        return { taskId: task.id, status: 'success' };
      });
      return { body: { value: results } };
    }
    if (method === 'DELETE') {
      jobs.delete(jobId);
      return { status: 202 };
    }
    if (path.endsWith('/tasks')) {
      polls++;
      const state = polls > 1 && !isStuck ? 'completed' : 'running';
      const executionInfo = { exitCode, result: exitCode === 0 ? 'success' : 'failure' };
      return { body: { value: job.tasks.map(({ id }) => ({ id, state, executionInfo })) } };
    }
    if (path.endsWith('/files')) {
      const prefix = /startswith\(name, '(.*)'\)/.exec(query.$filter ?? '')?.[1] ?? '';
      return {
        body: {
          value: Object.keys(files)
            .filter((name) => name.startsWith(prefix))
            .map((name) => ({ name, isDirectory: false })),
        },
      };
    }
    if (file === '')
      return {
        body: {
          id: taskId,
          stats: {
            readIOps: '3',
            readIOGiB: 0.5,
            writeIOps: 1,
            writeIOGiB: 0,
            kernelCPUTime: 'PT1S',
            userCPUTime: 'PT2.5S',
            wallClockTime: 'PT10S',
          },
        },
      };
    const content = files[file];
    if (content === undefined) return refuse(404, 'FileNotFound');
    const range = /^bytes=(\d+)-/.exec(String(headers['ocp-range'] ?? ''));
    if (!range) return { body: content };
    const seen = polls > 1 ? content : content.slice(0, content.length / 2);
    const from = Number(range[1]);
    return from >= seen.length ? refuse(416, 'InvalidRange') : { status: 206, body: seen.slice(from) };
  });
  return jobs;
}

test('resizes a pool with a signed request', async () => {
  azure.respond(({ method }) =>
    method === 'POST'
      ? { status: 202 }
      : { body: { id: 'workers', targetDedicatedNodes: 4, targetLowPriorityNodes: 0 } },
  );
  expect(await runAzure('azure.batch.pool.Resize', { ...connection(), targetDedicatedNodes: 4 })).toEqual({
    pool: { id: 'workers', targetDedicatedNodes: 4, targetLowPriorityNodes: 0 },
  });
  const [request] = azure.requests;
  expect(JSON.parse(String(request?.body))).toEqual({ targetDedicatedNodes: 4, targetLowPriorityNodes: 0 });
  const {
    'content-length': length,
    'content-type': type,
    'ocp-date': date,
    authorization,
  } = request?.headers ?? {};
  const signed = `POST\n\n\n${length}\n\n${type}\n\n\n\n\n\n\nocp-date:${date}\n/${account}/pools/workers/resize\napi-version:2023-05-01.17.0`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64');
  expect(authorization).toBe(`SharedKey ${account}:${signature}`);
  await expect(
    runAzure('azure.batch.pool.Resize', {
      ...connection(),
      accessKey: Buffer.from('other').toString('base64'),
    }),
  ).rejects.toThrow('Azure Batch refused the new size of pool "workers": AuthenticationFailed');
});

const printed = 'first line\n::{"outputs":{"rows":3}}::\nlast line\n';
const input = () => ({
  ...connection(),
  job: { id: 'nightly', priority: 5, labels: { team: 'data' } },
  tasks: [
    {
      id: 'one',
      commands: ["echo 'x' > {{ outputFiles.result }}", 'ls {{ outputDirs.parts }}'],
      outputFiles: ['result'],
      outputDirs: ['parts'],
      environments: { A: '1' },
      containerSettings: {
        imageName: 'alpine',
        registry: { userName: 'u', password: 'hidden' },
        workingDirectory: 'TASK_WORKING_DIRECTORY',
      },
      uploadFiles: [{ filePattern: '*.txt', destination: { container: { containerUrl: 'https://x' } } }],
      constraints: { maxWallClockTime: 'PT1H', maxTaskRetryCount: 1 },
    },
  ],
  completionCheckInterval: 'PT0.01S',
});

test('runs tasks of a job: log, outputs, files, metrics, and the deletion at the end', async () => {
  const jobs = anAccount({
    'stdout.txt': printed,
    'stderr.txt': 'oh\n',
    'wd/result': 'x',
    'wd/parts/1': 'p',
    'wd/other': 'o',
  });
  const context = anAzureContext();
  const done = await runAzure('azure.batch.job.Create', input(), context);
  expect(done.vars).toEqual({ rows: 3 });
  expect(Object.keys(done.outputFiles as object)).toEqual(['result', 'parts/1']);
  expect(await context.files.text((done.outputFiles as Record<string, string>).result ?? '')).toBe('x');
  expect(context.logs).toEqual([
    { level: 'INFO', message: 'first line' },
    { level: 'INFO', message: 'last line' },
    { level: 'ERROR', message: 'oh' },
  ]);
  expect(context.metrics).toContainEqual({
    name: 'cpu.user.duration',
    type: 'timer',
    value: 2500,
    tags: { task: 'one' },
  });
  expect(context.metrics.map(({ value }) => value)).toEqual([3, 0.5, 1, 0, 1000, 2500, 10_000]);
  expect(jobs.size).toBe(0);
  expect(JSON.parse(String(azure.requests[0]?.body))).toEqual({
    id: 'nightly',
    priority: 5,
    metadata: [{ name: 'team', value: 'data' }],
    poolInfo: { poolId: 'workers' },
  });
  expect(JSON.parse(String(azure.requests[1]?.body)).value).toEqual([
    {
      id: 'one',
      commandLine: "/bin/sh -c 'set -e\nmkdir -p '\\''parts'\\''\necho '\\''x'\\'' > result\nls parts'",
      environmentSettings: [{ name: 'A', value: '1' }],
      containerSettings: {
        imageName: 'alpine',
        registry: { username: 'u', password: 'hidden' },
        workingDirectory: 'taskWorkingDirectory',
      },
      outputFiles: [
        {
          filePattern: '*.txt',
          destination: { container: { containerUrl: 'https://x' } },
          uploadOptions: { uploadCondition: 'taskcompletion' },
        },
      ],
      constraints: { maxWallClockTime: 'PT1H', maxTaskRetryCount: 1 },
    },
  ]);
});

test('resumes a job, refuses to without `resume`, and fails with the exit code of a task', async () => {
  const jobs = anAccount({ 'stdout.txt': printed, 'wd/a': '1', 'wd/b/c': '2' }, { exitCode: 3 });
  const kept = { ...input(), delete: false, syncWorkingDirectory: true };
  await expect(runAzure('azure.batch.job.Create', kept)).rejects.toMatchObject({
    message: 'Task "one" of job "nightly" failed with exit code 3',
    outputs: { vars: { rows: 3 }, outputFiles: { a: expect.any(String), 'b/c': expect.any(String) } },
  });
  expect(jobs.size).toBe(1);
  await expect(runAzure('azure.batch.job.Create', { ...kept, resume: false })).rejects.toThrow(
    'Azure Batch refused job "nightly": JobExists: JobExists!',
  );
  const context = anAzureContext();
  await expect(runAzure('azure.batch.job.Create', kept, context)).rejects.toThrow('exit code 3');
  expect(context.logs[0]?.message).toBe('Job "nightly" exists and is resumed.');
});

test('a killed execution deletes the job', async () => {
  const jobs = anAccount({ 'stdout.txt': 'working\n' }, { isStuck: true });
  const context = anAzureContext();
  const running = runAzure('azure.batch.job.Create', input(), context);
  await expect.poll(() => jobs.size).toBe(1);
  context.kill();
  await expect(running).rejects.toThrow();
  expect(jobs.size).toBe(0);
});
