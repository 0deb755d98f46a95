import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunnerDefinition, readInput } from '@millrace/plugin-kit';
import { describe, expect, test } from 'vitest';
import type { Json } from '../google/json.ts';
import { type Received, type Reply, refusal, serviceAccount, startGoogle } from '../testing/fakeGoogle.ts';
import { FakeStorage } from '../testing/fakeStorage.ts';
import { batchRunner, cloudRunRunner } from './runners.ts';

const prefix = 'millrace/execution1/run1-0';

/** Batch, Cloud Run and Cloud Logging around one job, which "runs" by writing a file to the bucket. */
async function aCloud(exitCode = 0) {
  const storage = new FakeStorage();
  const state = { created: undefined as Json | undefined, deleted: 0, looks: 0 };
  const job = 'projects/my-project/locations/eu/jobs/j';
  const google = await startGoogle((request: Received): Reply | ReturnType<typeof storage.handle> => {
    const { host, path, method, json, query } = request;
    if (host === 'storage.googleapis.com' && query.get('uploadType') === 'media')
      return { body: storage.put('work', query.get('name') ?? '', request.bytes) };
    if (host === 'storage.googleapis.com') return storage.handle(request);
    if (host === 'logging.googleapis.com')
      return {
        body: {
          entries: [
            { insertId: 'a', timestamp: '2026-01-31T08:00:00Z', textPayload: 'hello', severity: 'INFO' },
            { insertId: 'b', timestamp: '2026-01-31T08:00:01Z', textPayload: 'oops', severity: 'ERROR' },
          ],
        },
      };
    if (method === 'DELETE') {
      state.deleted++;
      return { body: {} };
    }
    if (method === 'POST' && path.endsWith('/jobs')) {
      state.created = json;
      storage.put('work', `${prefix}/out.txt`, 'made there');
      return { body: { name: 'operations/1', uid: 'uid1' } };
    }
    if (path.endsWith('/operations/1')) return { body: { done: true, response: {} } };
    if (path.endsWith(':run')) return { body: { metadata: { name: `${job}/executions/e1` } } };
    if (path.endsWith('/tasks')) return { body: { tasks: [{ lastAttemptResult: { exitCode } }] } };
    if (path.endsWith(':cancel')) return { body: {} };
    if (method !== 'GET') return refusal(404, 'no');
    const isDone = ++state.looks > 1;
    const batch = isDone
      ? {
          state: exitCode === 0 ? 'SUCCEEDED' : 'FAILED',
          statusEvents: [{ description: 'x', taskExecution: { exitCode } }],
        }
      : { state: 'RUNNING' };
    return {
      body: {
        uid: 'uid1',
        latestCreatedExecution: { name: 'e1' },
        status: batch,
        ...(isDone && { completionTime: 'now', failedCount: exitCode === 0 ? 0 : 1 }),
      },
    };
  });
  return { storage, state, ...google };
}

const quick = {
  serviceAccount,
  region: 'eu',
  completionCheckInterval: 'PT0.01S',
  waitForLogInterval: 'PT0S',
};

async function runOn(runner: RunnerDefinition, properties: Json, exitCode = 0, attempt = 0) {
  const cloud = await aCloud(exitCode);
  const context = { ...cloud.context, run: { ...cloud.context.run, attempt } };
  const folder = await context.workingDirectory();
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', 'in.txt'), 'from here');
  const lines: string[] = [];
  const end = await runner.run(context, readInput(runner.type, runner.input, { ...quick, ...properties }), {
    command: ['/bin/sh', '-c', `cat ${folder}/data/in.txt`],
    workingDirectory: folder,
    env: { WORKING_DIR: folder, A: 'b' },
    containerImage: 'alpine',
    onStdout: (chunk) => void lines.push(`out ${Buffer.from(chunk).toString().trim()}`),
    onStderr: (chunk) => void lines.push(`err ${Buffer.from(chunk).toString().trim()}`),
  });
  return { ...cloud, end, lines, folder };
}

const there = `/mnt/disks/millrace/${prefix}`;

describe('Batch', () => {
  test('runs the container with the files of the task and brings new ones back', async () => {
    const { state, end, lines, folder, storage } = await runOn(batchRunner, {
      bucket: 'work',
      computeResource: { cpu: '500' },
    });
    expect(end.exitCode).toBe(0);
    expect(lines).toEqual(['out hello', 'err oops']);
    expect(state.created).toMatchObject({
      taskGroups: [
        {
          taskSpec: {
            runnables: [
              {
                container: {
                  imageUri: 'alpine',
                  entrypoint: '/bin/sh',
                  commands: ['-c', `cat ${there}/data/in.txt`],
                  volumes: ['/mnt/disks/millrace:/mnt/disks/millrace:rw'],
                  options: `--workdir ${there}`,
                },
                environment: { variables: { WORKING_DIR: there, A: 'b' } },
              },
            ],
            computeResource: { cpuMilli: 500 },
            volumes: [{ gcs: { remotePath: 'work' }, mountPath: '/mnt/disks/millrace' }],
          },
        },
      ],
      allocationPolicy: { instances: [{ policy: { machineType: 'e2-medium' } }] },
    });
    expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe('made there');
    expect(storage.objects.size).toBe(0);
    expect(state.deleted).toBe(1);
  });

  test('returns the exit code of a failed container', async () => {
    expect((await runOn(batchRunner, {}, 7)).end.exitCode).toBe(7);
  });
});

describe('Cloud Run', () => {
  test('runs the container with the files of the task and brings new ones back', async () => {
    const { state, end, lines, folder } = await runOn(cloudRunRunner, {
      bucket: 'gs://work/',
      resources: { memory: '1Gi' },
    });
    expect(end.exitCode).toBe(0);
    expect(lines).toEqual(['out hello', 'err oops']);
    expect(state.created).toMatchObject({
      template: {
        template: {
          containers: [
            {
              image: 'alpine',
              command: ['/bin/sh'],
              args: ['-c', `cat ${there}/data/in.txt`],
              env: [
                { name: 'WORKING_DIR', value: there },
                { name: 'A', value: 'b' },
              ],
              resources: { limits: { memory: '1Gi' } },
              workingDir: there,
              volumeMounts: [{ name: 'work', mountPath: '/mnt/disks/millrace' }],
            },
          ],
          volumes: [{ name: 'work', gcs: { bucket: 'work' } }],
          maxRetries: 0,
        },
      },
    });
    expect(await readFile(join(folder, 'out.txt'), 'utf8')).toBe('made there');
  });

  test('returns the exit code of a failed container', async () => {
    expect((await runOn(cloudRunRunner, {}, 3)).end.exitCode).toBe(3);
  });
});

test.each([batchRunner, cloudRunRunner])('$type waits for the job of a lost worker', async (runner) => {
  const { state, end, received } = await runOn(runner, { bucket: 'work' }, 3, 1);
  expect([end.exitCode, state.created, state.deleted]).toEqual([3, undefined, 1]);
  expect(received.some(({ path }) => path.endsWith('/jobs/millrace-run1-0'))).toBe(true);
});
