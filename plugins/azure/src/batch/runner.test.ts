import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AzureDouble, account, key, startAzureDouble } from '../testing/azureDouble.ts';
import { anAzureContext } from '../testing/runAzure.ts';
import { batchRunner } from './runner.ts';

let azure: AzureDouble;
beforeAll(async () => {
  azure = await startAzureDouble();
});
afterAll(() => azure.stop());

interface SentTask {
  readonly commandLine: string;
  readonly resourceFiles: readonly { storageContainerUrl: string; blobPrefix: string }[];
  readonly outputFiles: readonly { destination: { container: { path: string } } }[];
}

/** A Batch account and its storage: a task "runs" by writing a file to the folder of its outputs. */
function anAccount({ running = [] as string[], isStuck = false } = {}) {
  const blobs = new Map<string, string>();
  const jobs = new Set(running);
  const state = { task: undefined as SentTask | undefined, jobs, blobs, deleted: [] as string[] };
  let polls = 0;
  azure.respond(({ method, path, query, body, headers }) => {
    const place = `/${account}/files/`;
    if (query.comp === 'list') {
      const names = [...blobs.keys()].filter((name) => name.startsWith(query.prefix ?? ''));
      const list = names.map((name) => `<Blob><Name>${name}</Name><Properties/></Blob>`).join('');
      return { body: `<EnumerationResults><Blobs>${list}</Blobs><NextMarker/></EnumerationResults>` };
    }
    if (path.startsWith(place)) {
      const name = path.slice(place.length);
      if (method === 'PUT') blobs.set(name, String(body));
      if (method === 'DELETE') blobs.delete(name);
      return { status: method === 'PUT' ? 201 : 200, body: blobs.get(name) ?? '' };
    }
    if (path === '/jobs') {
      jobs.add(JSON.parse(String(body)).id);
      return { status: 201 };
    }
    const [, , name = ''] = path.split('/');
    if (!jobs.has(name)) return { status: 404, body: { code: 'JobNotFound' } };
    if (method === 'DELETE') {
      jobs.delete(name);
      state.deleted.push(name);
      return { status: 202 };
    }
    if (method === 'POST') {
      state.task = JSON.parse(String(body));
      return { status: 201 };
    }
    if (path.endsWith('.txt')) {
      const text = path.endsWith('stdout.txt') ? 'hello\n' : 'oops\n';
      const from = Number(/^bytes=(\d+)-/.exec(String(headers['ocp-range']))?.[1]);
      return from >= text.length
        ? { status: 416, body: { code: 'InvalidRange' } }
        : { body: text.slice(from) };
    }
    const isDone = ++polls > 1 && !isStuck;
    if (isDone) blobs.set(`millrace/${name}/out/millrace/${name}/in/out.txt`, 'made there');
    return { body: { id: 'main', state: isDone ? 'completed' : 'running', executionInfo: { exitCode: 3 } } };
  });
  return state;
}

const context = (attempt = 0) => {
  const made = anAzureContext();
  return { ...made, kill: made.kill, run: { ...made.run, taskRunId: 'Run1', attempt } };
};

async function runScript(on: ReturnType<typeof context>) {
  const workingDirectory = await on.workingDirectory();
  await writeFile(join(workingDirectory, 'in.txt'), 'from here');
  const lines: string[] = [];
  const input = batchRunner.input.parse({
    endpoint: azure.url,
    account,
    accessKey: key,
    poolId: 'workers',
    registry: { userName: 'u', password: 'p' },
    blobStorage: { ...azure.connection, containerName: 'files' },
    completionCheckInterval: 'PT0.01S',
  });
  const end = await batchRunner.run(on, input, {
    command: ['/bin/sh', '-c', `cat '${workingDirectory}/in.txt'`],
    workingDirectory,
    env: { WORKING_DIR: workingDirectory, A: '1' },
    containerImage: 'alpine',
    onStdout: (chunk) => void lines.push(`out ${Buffer.from(chunk)}`),
    onStderr: (chunk) => void lines.push(`err ${Buffer.from(chunk)}`),
  });
  return { end, lines, workingDirectory };
}

test('the Batch runner exchanges files through blobs, copies both streams and returns the exit code', async () => {
  const state = anAccount();
  const { end, lines, workingDirectory } = await runScript(context());
  expect([end.exitCode, lines]).toEqual([3, ['out hello\n', 'err oops\n']]);
  expect(await readFile(join(workingDirectory, 'out.txt'), 'utf8')).toBe('made there');
  const folder = '"$AZ_BATCH_TASK_WORKING_DIR"/millrace/millrace-run1-0/in';
  const { task } = state;
  expect(task).toMatchObject({
    environmentSettings: [
      { name: 'WORKING_DIR', value: '/tmp/millrace-run1-0' },
      { name: 'A', value: '1' },
    ],
    containerSettings: {
      imageName: 'alpine',
      containerRunOptions: '--entrypoint=',
      registry: { username: 'u', password: 'p' },
    },
    resourceFiles: [{ blobPrefix: 'millrace/millrace-run1-0/in/' }],
    outputFiles: [
      { filePattern: '**/*', destination: { container: { path: 'millrace/millrace-run1-0/out' } } },
    ],
  });
  expect(task?.commandLine).toContain(`mkdir -p ${folder} && ln -sfn ${folder} /tmp/millrace-run1-0`);
  expect(task?.commandLine).toContain('/tmp/millrace-run1-0/in.txt');
  const url = new URL(task?.resourceFiles[0]?.storageContainerUrl ?? '');
  expect([url.pathname, url.searchParams.get('sr'), url.searchParams.get('sp')]).toEqual([
    `/${account}/files`,
    'c',
    'racwl',
  ]);
  expect(state.deleted).toEqual(['millrace-run1-0']);
  expect(state.blobs.size).toBe(0);
});

test('the Batch runner waits for the job of a lost worker, and deletes the job of a killed task', async () => {
  const left = anAccount({ running: ['millrace-run1-0'] });
  const { end, workingDirectory } = await runScript(context(1));
  expect(end.exitCode).toBe(3);
  expect(left.task).toBeUndefined();
  expect(await readFile(join(workingDirectory, 'out.txt'), 'utf8')).toBe('made there');
  const stuck = anAccount({ isStuck: true });
  const killed = context();
  const running = runScript(killed);
  await expect.poll(() => stuck.jobs.size).toBe(1);
  killed.kill();
  await expect(running).rejects.toThrow();
  expect(stuck.deleted).toEqual(['millrace-run1-0']);
});
