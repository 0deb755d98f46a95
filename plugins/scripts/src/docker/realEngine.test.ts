import { aTaskContext, runType, type TestContext } from '@millrace/plugin-kit/testing';
import Engine from 'dockerode';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { shell } from '../languages/shell.ts';

/**
 * Tests the runner against a real Docker or Podman. They pull no image: it must exist and have a shell, such
 * as `busybox`. Without an engine the tests are skipped; CONTRIBUTING.md explains how to start one.
 */
const host = process.env.MILLRACE_TEST_ENGINE;
const containerImage = process.env.MILLRACE_TEST_IMAGE ?? 'busybox:latest';
const reason = host
  ? ''
  : ' (skipped: MILLRACE_TEST_ENGINE names no engine, such as unix:///run/podman/podman.sock)';

let lastRun = 0;
const newRun = () => `real-${process.pid}-${++lastRun}`;
const aContext = (
  configuration: Record<string, unknown> = {},
  taskRunId = newRun(),
  attempt = 0,
): TestContext =>
  aTaskContext({
    configuration: () => ({ host, ...configuration }),
    run: {
      tenantId: 'main',
      namespace: 'company.team',
      flowId: 'a_flow',
      flowRevision: 1,
      executionId: 'execution1',
      taskId: 'a_task',
      taskRunId,
      attempt,
    },
  });
const runner = (more: Record<string, unknown> = {}) => ({ type: 'scripts.runner.docker.Docker', ...more });
const run = (context: TestContext, properties: Record<string, unknown>) =>
  runType(shell[1], { containerImage, taskRunner: runner(), ...properties }, context);
const said = ({ logs }: TestContext) => logs.map(({ level, message }) => `${level} ${message}`);

const ofTests = { label: [`millrace.execution-id=execution1`] };
const docker = new Engine(host?.startsWith('unix://') ? { socketPath: host.slice('unix://'.length) } : {});

describe.skipIf(!host)(`a real engine${reason}`, () => {
  afterAll(async () => {
    for (const { Id } of await docker.listContainers({ all: true, filters: ofTests })) {
      await docker.getContainer(Id).remove({ force: true, v: true });
    }
  });

  test.each(['VOLUME', 'MOUNT'])('hands files in and out by %s', async (fileHandlingStrategy) => {
    const context = aContext();
    const { outputFiles, vars, exitCode } = await run(context, {
      taskRunner: runner({ fileHandlingStrategy }),
      inputFiles: { 'in/data.txt': 'seven', 'run.sh': '#!/bin/sh\necho ran' },
      env: { GREETING: 'hello world' },
      commands: [
        'cat in/data.txt > out.txt; echo "$GREETING"; echo oops >&2; sh run.sh',
        'mkdir -p deep/er; echo x > deep/er/f; ln -s /etc/passwd link; echo y > "$OUTPUT_DIR/own.txt"',
        `echo '::{"outputs":{"a":1}}::'; test "$PWD" = "$WORKING_DIR"`,
      ],
      outputFiles: ['out.txt', 'deep/**', 'link'],
    });
    expect({ vars, exitCode }).toEqual({ vars: { a: 1 }, exitCode: 0 });
    const files = outputFiles as Record<string, string>;
    expect(Object.keys(files).sort()).toEqual(['deep/er/f', 'out.txt', 'own.txt']);
    expect(await context.files.text(files['out.txt'] ?? '')).toBe('seven');
    expect(said(context)).toEqual(expect.arrayContaining(['INFO hello world', 'ERROR oops', 'INFO ran']));
  });

  test('writes what the container says while it runs, whole and in order', async () => {
    const context = aContext();
    const running = run(context, {
      commands: ['echo first; while [ ! -f go ]; do sleep 0.1; done; seq 1 5000'],
    });
    await vi.waitFor(() => expect(said(context)).toEqual(['INFO first']), 60_000);
    context.kill();
    await expect(running).rejects.toThrow('aborted');
    const flooding = aContext();
    await run(flooding, { commands: ['seq 1 20000'] });
    expect(flooding.logs.map(({ message }) => Number(message))).toEqual(
      Array.from({ length: 20_000 }, (_, i) => i + 1),
    );
  });

  test('an exit code fails the task and keeps what was made', async () => {
    const error = await run(aContext(), {
      commands: ['echo 1 > a.txt; exit 3'],
      outputFiles: ['a.txt'],
    }).catch((e) => e);
    expect(error.message).toBe('Command failed with exit code 3');
    expect(error.outputs).toMatchObject({ exitCode: 3, outputFiles: { 'a.txt': expect.any(String) } });
  });

  test.each([
    ['at once', {}],
    ['after its grace period', { killGracePeriod: 'PT1S' }],
  ])('[A40] a container that ignores SIGTERM is ended %s', async (_, more) => {
    const context = aContext();
    const running = run(context, {
      commands: ['trap "" TERM; echo up; sleep 600'],
      taskRunner: runner(more),
    });
    await vi.waitFor(() => expect(said(context)).toContain('INFO up'), 60_000);
    const killedAt = Date.now();
    context.kill();
    await expect(running).rejects.toThrow('aborted');
    expect(Date.now() - killedAt).toBeLessThan(10_000);
  });

  test('runs as the user, with the limits and mounts that the task names', async () => {
    const context = aContext({ volumeEnabled: true });
    const { vars } = await run(context, {
      taskRunner: runner({
        user: '1000',
        networkMode: 'none',
        memory: { memory: '64MB' },
        cpu: { cpus: 0.5 },
        shmSize: '16m',
        extraHosts: ['db:10.0.0.1'],
        volumes: ['/etc:/mounted:ro'],
      }),
      commands: [
        'limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || cat /sys/fs/cgroup/memory/memory.limit_in_bytes)',
        'echo mine > made-by-user.txt; test -f /mounted/hostname',
        `echo "::{\\"outputs\\":{\\"user\\":\\"$(id -u)\\",\\"memory\\":$limit,\\"hosts\\":$(grep -c db /etc/hosts)}}::"`,
      ],
      outputFiles: ['made-by-user.txt'],
    });
    expect(vars).toEqual({ user: '1000', memory: 64 * 2 ** 20, hosts: 1 });
  });

  test('an entry point of the task stands before its commands', async () => {
    const context = aContext();
    await run(context, {
      taskRunner: runner({ entryPoint: ['/bin/sh', '-c', 'echo entered; exec "$@"', 'x'] }),
      commands: ['echo ran'],
    });
    expect(said(context)).toEqual(['INFO entered', 'INFO ran']);
  });

  test('the container that a lost worker has left is waited for, with all that it said', async () => {
    const commands = [`echo '::{"outputs":{"early":1}}::'; echo up`, 'sleep 3', 'echo done > made.txt'];
    const name = newRun();
    const lost = aContext({}, name);
    const first = run(lost, { commands, taskRunner: runner({ delete: false }) }).catch(() => {});
    await vi.waitFor(() => expect(said(lost)).toContain('INFO up'), 60_000);
    const second = await run(aContext({}, name, 1), { commands, outputFiles: ['made.txt'] });
    expect(second).toMatchObject({ vars: { early: 1 }, outputFiles: { 'made.txt': expect.any(String) } });
    await first;
  });

  test('a container continues with `wait: false`, and stays with `delete: false`', async () => {
    const [on, kept] = [newRun(), newRun()];
    await run(aContext({}, on), { commands: ['sleep 600'], taskRunner: runner({ wait: false }) });
    await run(aContext({}, kept), { commands: ['true'], taskRunner: runner({ delete: false }) });
    const stateOf = async (id: string) => {
      const filters = { label: [`millrace.taskrun-id=${id}`] };
      return (await docker.listContainers({ all: true, filters })).map(({ State }) => State);
    };
    expect([await stateOf(on), await stateOf(kept)]).toEqual([['running'], ['exited']]);
  });

  test('[A18] a flood, a line without end and bytes that are no text leave a readable log', async () => {
    const context = aContext();
    await run(context, {
      commands: [
        'head -c 20000000 /dev/zero | tr "\\0" x; echo',
        'printf "\\377\\376 broken \\303\\n"; head -c 2000 /dev/urandom; echo; echo end',
      ],
    });
    expect(said(context).at(-1)).toContain('end');
    expect(Math.max(...context.logs.map(({ message }) => message.length))).toBeLessThan(2_000_000);
  });

  test('what cannot be started says why, and leaves nothing behind', async () => {
    const noProgram = { interpreter: ['/no/such/shell', '-c'], commands: ['true'] };
    await expect(run(aContext(), noProgram)).rejects.toThrow(/no such file|not found/i);
    const noNetwork = { commands: ['true'], taskRunner: runner({ networkMode: 'no_such_network' }) };
    await expect(run(aContext(), noNetwork)).rejects.toThrow(/no_such_network/);
    const noUser = { commands: ['true'], taskRunner: runner({ user: 'nobody_here' }) };
    await expect(run(aContext(), noUser)).rejects.toThrow(/nobody_here/);
    const filters = { label: ofTests.label, status: ['created'] };
    expect(await docker.listContainers({ all: true, filters })).toEqual([]);
  });

  test('an image that is not there says so, by every policy', async () => {
    const missing = { containerImage: 'localhost:1/no/such:image', commands: ['true'] };
    await expect(
      run(aContext(), { ...missing, taskRunner: runner({ pullPolicy: 'NEVER' }) }),
    ).rejects.toThrow('is not there');
    for (const pullPolicy of ['IF_NOT_PRESENT', 'ALWAYS']) {
      await expect(run(aContext(), { ...missing, taskRunner: runner({ pullPolicy }) })).rejects.toThrow(
        'could not be pulled',
      );
    }
  });
});
