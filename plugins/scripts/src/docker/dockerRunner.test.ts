import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTaskContext, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { shell } from '../languages/shell.ts';
import { readSize } from './containerOptions.ts';
import { readOutput } from './containerOutput.ts';
import { chooseHost } from './dockerHost.ts';
import { loginOf } from './dockerImage.ts';
import { dockerProperties } from './dockerProperties.ts';
import { type FakeDocker, startFakeDocker } from './testing/fakeDocker.ts';

let docker: FakeDocker;
beforeAll(async () => {
  docker = await startFakeDocker();
});
afterAll(() => docker.close());

let lastRun = 0;
function aContext(
  configuration: Record<string, unknown> = {},
  run = `run${++lastRun}`,
  attempt = 0,
): TestContext {
  return aTaskContext({
    variables: { word: 'p' },
    configuration: () => ({ host: `unix://${docker.socketPath}`, ...configuration }),
    run: {
      tenantId: 'main',
      namespace: 'company.team',
      flowId: 'a_flow',
      flowRevision: 1,
      executionId: 'execution1',
      taskId: 'a_task',
      taskRunId: run,
      attempt,
    },
  });
}

const runner = (more: Record<string, unknown> = {}) => ({ type: 'scripts.runner.docker.Docker', ...more });
const lastContainer = () => docker.containers.at(-1);
const run = (context: TestContext, properties: Record<string, unknown>) =>
  runType(shell[1], { containerImage: 'here', taskRunner: runner(), ...properties }, context);

describe.each(['VOLUME', 'MOUNT'])('files are handled by %s', (fileHandlingStrategy) => {
  test('the job finds its files, and what it makes comes back', async () => {
    const context = aContext();
    const outputs = await run(context, {
      taskRunner: runner({ fileHandlingStrategy }),
      inputFiles: { 'in/data.txt': 'seven' },
      env: { GREETING: 'hello' },
      commands: [
        'cat in/data.txt > out.txt; echo "$GREETING"; echo oops >&2',
        'mkdir -p deep/er; echo x > deep/er/f',
      ],
      outputFiles: ['out.txt', 'deep/**'],
    });
    const files = outputs.outputFiles as Record<string, string>;
    expect(Object.keys(files).sort()).toEqual(['deep/er/f', 'out.txt']);
    expect(await context.files.text(files['out.txt'] ?? '')).toBe('seven');
    expect(context.logs).toEqual(
      expect.arrayContaining([
        { level: 'INFO', message: 'hello' },
        { level: 'ERROR', message: 'oops' },
      ]),
    );
    expect(lastContainer()?.state).toBe('removed');
  });
});

test('the container is created as the task says', async () => {
  const context = aContext({ volumeEnabled: true, privilegedEnabled: true });
  await run(context, {
    commands: ['true'],
    taskRunner: runner({
      user: '1000',
      networkMode: 'none',
      extraHosts: ['db:10.0.0.1'],
      portBindings: ['8080:80', '53:53/udp'],
      volumes: ['/data:/data:ro'],
      privileged: true,
      cpu: { cpus: 1.5 },
      memory: { memory: '512MB', memorySwap: '-1', memorySwappiness: '10', memoryReservation: '1g' },
      shmSize: '64m',
      deviceRequests: [{ count: -1, capabilities: [['gpu']] }],
    }),
  });
  const work = await context.workingDirectory();
  expect(lastContainer()?.options).toMatchObject({
    Image: 'here',
    User: '1000',
    WorkingDir: work,
    Entrypoint: [''],
    Cmd: ['/bin/sh', '-c', 'set -e\ntrue'],
    Volumes: { [work]: {} },
    ExposedPorts: { '80/tcp': {}, '53/udp': {} },
    Labels: { 'millrace.execution-id': 'execution1', 'millrace.taskrun-attempt': '0' },
    HostConfig: {
      Binds: ['/data:/data:ro'],
      Privileged: true,
      NetworkMode: 'none',
      ExtraHosts: ['db:10.0.0.1'],
      PortBindings: { '80/tcp': [{ HostPort: '8080' }], '53/udp': [{ HostPort: '53' }] },
      NanoCpus: 1_500_000_000,
      Memory: 512 * 2 ** 20,
      MemorySwap: -1,
      MemorySwappiness: 10,
      MemoryReservation: 2 ** 30,
      ShmSize: 64 * 2 ** 20,
      DeviceRequests: [{ Count: -1, Capabilities: [['gpu']] }],
    },
  });
});

describe('images', () => {
  const pullsOf = (image: string) =>
    docker.calls.filter(
      (call) => call.startsWith('POST /images/create') && call.includes(encodeURIComponent(image)),
    );

  test('are pulled when they are missing, once, with the login', async () => {
    const image = 'r.example.com/team/private:1';
    const credentials = { username: 'u', password: '{{ word }}' };
    const properties = { containerImage: image, commands: ['true'], taskRunner: runner({ credentials }) };
    await run(aContext(), properties);
    await run(aContext(), properties);
    expect(pullsOf('r.example.com/team/private')).toHaveLength(1);
    expect(docker.logins).toEqual([{ serveraddress: 'r.example.com', username: 'u', password: 'p' }]);
  });

  test('are always pulled with ALWAYS, and only the latest without a tag', async () => {
    await run(aContext(), {
      containerImage: 'fresh',
      commands: ['true'],
      taskRunner: runner({ pullPolicy: 'ALWAYS' }),
    });
    await run(aContext(), {
      containerImage: 'fresh',
      commands: ['true'],
      taskRunner: runner({ pullPolicy: 'ALWAYS' }),
    });
    expect(pullsOf('fresh')).toHaveLength(2);
    expect(pullsOf('fresh')[0]).toContain('tag=latest');
  });

  test('that do not exist fail the task with the message of the engine', async () => {
    const missing = { containerImage: 'missing:1', commands: ['true'] };
    await expect(run(aContext(), missing)).rejects.toThrow('manifest for missing:1 not found');
    const never = { ...missing, taskRunner: runner({ pullPolicy: 'NEVER' }) };
    await expect(run(aContext(), never)).rejects.toThrow(
      '"missing:1" is not there, and the pull policy is NEVER',
    );
  });

  test('find their login in a config.json', () => {
    const config = JSON.stringify({
      auths: { 'r.example.com': { auth: Buffer.from('me:s3:cret').toString('base64') } },
    });
    const input = dockerProperties.parse({ config });
    expect(loginOf('r.example.com/x:1', input)).toEqual({
      serveraddress: 'r.example.com',
      username: 'me',
      password: 's3:cret',
    });
    expect(loginOf('elsewhere.example.com/x:1', input)).toBeUndefined();
  });
});

describe('ends', () => {
  test('an exit code fails the task, and what was made until then is kept', async () => {
    const context = aContext();
    const error = await run(context, { commands: ['echo 1 > a.txt; exit 3'], outputFiles: ['a.txt'] }).catch(
      (e) => e,
    );
    expect(error.message).toBe('Command failed with exit code 3');
    expect(error.outputs).toMatchObject({ exitCode: 3, outputFiles: { 'a.txt': expect.any(String) } });
    expect(lastContainer()?.state).toBe('removed');
  });

  test.each([
    ['at once', {}, 'POST /containers/'],
    ['after its time', { killGracePeriod: 'PT1S' }, 'stop?t=1'],
  ])('[A40] a killed task ends and removes its container %s', async (_, more, call) => {
    const context = aContext();
    const running = run(context, {
      commands: ['trap "" TERM; echo up; sleep 600'],
      taskRunner: runner(more),
    });
    await vi.waitFor(() => expect(context.logs).toContainEqual({ level: 'INFO', message: 'up' }), 60_000);
    context.kill();
    await expect(running).rejects.toThrow('aborted');
    expect(lastContainer()?.state).toBe('removed');
    expect(docker.calls.some((each) => each.includes(call))).toBe(true);
  });

  test('what a killed server has left behind makes place', async () => {
    const first = aContext({}, 'same');
    const lost = expect(run(first, { commands: ['sleep 600'] })).rejects.toThrow();
    await vi.waitFor(() => expect(lastContainer()?.state).toBe('running'), 60_000);
    const left = lastContainer();
    await run(aContext({}, 'same'), { commands: ['true'] });
    expect(left?.state).toBe('removed');
    await lost;
  });

  test('the container that a lost worker has left is waited for, with all that it said', async () => {
    const commands = [
      `echo '::{"outputs":{"early":1}}::'; echo up`,
      'while [ ! -f go ]; do sleep 0.05; done',
      'echo done > made.txt',
    ];
    const lost = aContext({}, 'taken');
    const first = run(lost, { commands, taskRunner: runner({ delete: false }) }).catch(() => {});
    await vi.waitFor(() => expect(lost.logs).toContainEqual({ level: 'INFO', message: 'up' }), 60_000);
    const left = lastContainer();
    const context = aContext({}, 'taken', 1);
    const second = run(context, { commands, outputFiles: ['made.txt'] });
    await vi.waitFor(() => expect(context.logs).toContainEqual({ level: 'INFO', message: 'up' }), 60_000);
    expect(lastContainer()).toBe(left);
    await writeFile(join(left?.root ?? '', String(left?.options.WorkingDir), 'go'), '');
    expect(await second).toMatchObject({
      vars: { early: 1 },
      outputFiles: { 'made.txt': expect.any(String) },
    });
    expect(left?.state).toBe('removed');
    await first;
  });

  test.each([{ resume: false }, { fileHandlingStrategy: 'MOUNT' }, { delete: false, resume: false }])(
    '%j lets the container of a lost worker make place',
    async (more) => {
      const name = `left${++lastRun}`;
      const lost = expect(run(aContext({}, name), { commands: ['sleep 600'] })).rejects.toThrow();
      await vi.waitFor(() => expect(lastContainer()?.state).toBe('running'), 60_000);
      const left = lastContainer();
      await run(aContext({}, name, 1), { commands: ['true'], taskRunner: runner(more) });
      expect(left?.state).toBe('removed');
      await lost;
    },
  );

  test('a container continues with `wait: false`, and stays with `delete: false`', async () => {
    await run(aContext(), { commands: ['sleep 600'], taskRunner: runner({ wait: false }) });
    expect(lastContainer()?.state).toBe('running');
    await run(aContext(), { commands: ['true'], taskRunner: runner({ delete: false }) });
    expect(lastContainer()?.state).toBe('exited');
  });
});

test('[A40] a flood of output comes through whole and in order', async () => {
  const context = aContext();
  await run(context, { commands: ['seq 1 20000'] });
  const numbers = context.logs.map(({ message }) => Number(message));
  expect(numbers).toHaveLength(20_000);
  expect(numbers.every((number, index) => number === index + 1)).toBe(true);
});

test('frames are put together however they were cut', async () => {
  const frame = (stream: number, text: string) => {
    const head = Buffer.alloc(8);
    head[0] = stream;
    head.writeUInt32BE(Buffer.byteLength(text), 4);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  const all = Buffer.concat([frame(1, 'one'), frame(2, 'two'), frame(1, ''), frame(1, 'three')]);
  for (const size of [1, 3, 9, 100]) {
    const heard = { out: '', err: '' };
    const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
      all.subarray(i * size, (i + 1) * size),
    );
    await readOutput(toStream(pieces), {
      onStdout: (bytes) => {
        heard.out += Buffer.from(bytes).toString();
      },
      onStderr: (bytes) => {
        heard.err += Buffer.from(bytes).toString();
      },
    });
    expect(heard).toEqual({ out: 'onethree', err: 'two' });
  }
});

async function* toStream(pieces: readonly Buffer[]) {
  yield* pieces;
}

describe('what would open the machine', () => {
  test.each([
    [{ volumes: ['/:/host'] }, 'does not allow volumes'],
    [{ privileged: true }, 'does not allow privileged containers'],
    [{ host: 'unix:///run/other.sock' }, 'not one that this server is configured with'],
    [{ host: 'ftp://x' }, 'is no address of an engine'],
  ])('%j is refused', async (more, message) => {
    await expect(run(aContext(), { commands: ['true'], taskRunner: runner(more) })).rejects.toThrow(message);
  });

  test('[A30] an engine on the network is asked for under the outbound policy', async () => {
    const refused = aTaskContext({ mayReach: () => Promise.reject(new Error('not allowed')) });
    const choice = { asked: 'tcp://169.254.169.254:80', configured: undefined };
    await expect(chooseHost(refused, choice, {})).rejects.toThrow('not allowed');
    const allowed = aTaskContext({ mayReach: async () => {} });
    expect(await chooseHost(allowed, { asked: 'tcp://docker:2375', configured: undefined }, {})).toEqual({
      protocol: 'http',
      host: 'docker',
      port: 2375,
    });
  });

  test('the server’s own engine comes from its configuration, then from DOCKER_HOST', async () => {
    const context = aTaskContext();
    const env = { DOCKER_HOST: 'unix:///run/podman/podman.sock' };
    expect(await chooseHost(context, { asked: undefined, configured: '/run/x.sock' }, env)).toEqual({
      socketPath: '/run/x.sock',
    });
    expect(await chooseHost(context, { asked: undefined, configured: undefined }, env)).toEqual({
      socketPath: '/run/podman/podman.sock',
    });
  });
});

test.each([
  ['512MB', 536_870_912],
  ['1.5 GiB', 1_610_612_736],
  ['1k', 1024],
  ['77', 77],
])('the size %s', (text, bytes) => expect(readSize(text)).toBe(bytes));

test('the older way to ask for a container', async () => {
  const context = aContext();
  await runType(shell[1], { commands: ['echo hi'], runner: 'DOCKER', docker: { image: 'here' } }, context);
  expect(context.logs).toContainEqual({ level: 'INFO', message: 'hi' });
});

test.each([
  ['of the task runner', { taskRunner: runner({ image: 'hel{{ word }}' }) }],
  ['of the older property', { docker: { image: 'hel{{ word }}' } }],
])('the image %s wins over that of the task, and may be an expression', async (_, properties) => {
  await runType(shell[1], { commands: ['echo hi'], containerImage: 'other', ...properties }, aContext());
  expect(lastContainer()?.options.Image).toBe('help');
});

test('[A22] what an engine sends back stays inside the folder of the task', async () => {
  const context = aContext();
  const work = await context.workingDirectory();
  await writeFile(join(work, 'mine'), 'mine');
  await run(context, { commands: ['ln -s /etc/passwd link; echo theirs > mine'] });
  expect(await readFile(join(work, 'mine'), 'utf8')).toBe('theirs\n');
  await expect(readFile(join(work, 'link'))).rejects.toThrow('ENOENT');
});

test('needs no native module: what comes along with the client of the engine may stay unbuilt', async () => {
  const code = `
    const { createRequire, Module } = require('node:module');
    Module._extensions['.node'] = () => { throw new Error('not built'); };
    const from = createRequire(${JSON.stringify(import.meta.url)});
    const Docker = from('dockerode');
    process.stdout.write(typeof new Docker({ socketPath: '/nowhere' }).ping);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code]);
  expect(stdout).toBe('function');
});
