import type { TaskDefinition, TaskFailed } from '@millrace/plugin-kit';
import { runType, type TestContext } from '@millrace/plugin-kit/testing';
import { scriptsFamily } from '@millrace/plugin-scripts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiServer, startApiServer } from '../testing/apiServer.ts';
import { aClusterContext, connectionTo, said } from '../testing/clusterContext.ts';
import { podCreate } from './podCreate.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.close());

let lastRun = 0;
const aRun = (attempt = 0, taskRunId = `run-${++lastRun}`) => ({
  tenantId: 'main',
  namespace: 'company.team',
  flowId: 'a_flow_with_a_name_that_is_much_longer_than_the_name_of_a_pod_may_be',
  flowRevision: 1,
  executionId: 'execution1',
  taskId: 'a_task',
  taskRunId,
  attempt,
});
const aContext = (run = aRun()): TestContext => aClusterContext({ run });
const pods = () => [...server.resources.values()].filter(({ kind }) => kind === 'Pod');
const untilLogged = (context: TestContext, line: string) =>
  vi.waitFor(() => expect(said(context)).toContain(line), { timeout: 30_000 });

describe('kubernetes.core.PodCreate', () => {
  const run = (context: TestContext, script: string, properties: Record<string, unknown> = {}) =>
    runType(
      podCreate,
      {
        connection: connectionTo(server),
        spec: { containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', script] }] },
        ...properties,
      },
      context,
    );

  test('logs what the containers write, returns their values and deletes the pod', async () => {
    const context = aContext();
    const { vars, status, metadata } = await run(context, `echo hello; echo '::{"outputs":{"rows":3}}::'`, {
      metadata: { labels: { team: '{{ "data" }}' } },
    });
    expect(vars).toEqual({ rows: 3 });
    expect(status).toMatchObject({ phase: 'Succeeded' });
    expect(metadata).toMatchObject({
      labels: { team: 'data', 'kestra.io/task-id': 'a_task', 'kestra.io/execution-id': 'execution1' },
    });
    expect(said(context)).toContain('INFO hello');
    expect(pods()).toEqual([]);
  });

  test('carries files into the pod and out of it', async () => {
    const context = aContext();
    const { outputFiles } = await run(
      context,
      `cat {{ workingDir }}/in/words.txt; tr a-z A-Z < in/words.txt > {{ outputFiles['up.txt'] }}; mkdir deep; echo x > deep/f`,
      { inputFiles: { 'in/words.txt': 'one two' }, outputFiles: ['up.txt', 'deep/**'] },
    );
    const files = outputFiles as Record<string, string>;
    expect(Object.keys(files).sort()).toEqual(['deep/f', 'up.txt']);
    expect(await context.files.text(files['up.txt'] ?? '')).toBe('ONE TWO');
    expect(said(context)).toContain('INFO one two');
  });

  test('fails with the exit code of the container and keeps what was returned', async () => {
    const failure = run(aContext(), `echo '::{"outputs":{"a":1}}::'; exit 3`, { delete: false });
    await expect(failure).rejects.toThrow('the container "main" ended with exit code 3');
    await failure.catch((error: unknown) => expect(error).toMatchObject({ outputs: { vars: { a: 1 } } }));
    expect(pods()).toHaveLength(1);
    for (const [path, { kind }] of server.resources) if (kind === 'Pod') server.resources.delete(path);
  });

  test.each([
    ['a name that is no image', 'Wrong', 'PT1M', 'cannot start (main: InvalidImageName'],
    [
      'an image that cannot be pulled',
      'missing:1',
      'PT0.2S',
      'did not start within 0 s (main: ImagePullBackOff',
    ],
  ])('reports %s', async (_, image, waitUntilRunning, message) => {
    const spec = { containers: [{ name: 'main', image }] };
    await expect(run(aContext(), '', { spec, waitUntilRunning })).rejects.toThrow(message);
    expect(pods()).toEqual([]);
  });

  test('a pod that runs too long fails the task and is deleted', async () => {
    const failure = run(aContext(), 'sleep 60', { waitRunning: 'PT0.3S' });
    await expect(failure).rejects.toThrow('did not end within 0 s');
    expect(pods()).toEqual([]);
  });

  test('a specification that the API server refuses is reported in its words', async () => {
    const failure = run(aContext(), '', { spec: { containers: [] } });
    await expect(failure).rejects.toThrow('status 422: spec.containers: Required value');
    await failure.catch((error: unknown) => expect((error as TaskFailed).retry).toBe(false));
  });

  test('no line is lost or doubled when the stream of the log breaks', async () => {
    const context = aContext();
    const script =
      'for i in 1 2 3; do echo line $i; done; while [ ! -f go ]; do sleep 0.1; done; echo line 4';
    const running = run(context, script, { inputFiles: { 'a.txt': '' }, waitForLogInterval: 'PT30S' });
    await untilLogged(context, 'INFO line 3');
    server.breakLogs();
    await vi.waitFor(
      () => expect(server.calls.filter((call) => call.includes('sinceTime')).length).toBeGreaterThan(0),
      {
        timeout: 30_000,
      },
    );
    // The file signals the container to end; it is written to the volume's folder.
    const { exec } = await import('../cluster/exec.ts');
    const { openClient } = await import('../cluster/client.ts');
    const client = await openClient(context, { connection: connectionInput(), inheritClusterConfig: false });
    const [pod] = pods();
    await exec(client, {
      namespace: 'default',
      pod: pod?.metadata.name ?? '',
      container: 'main',
      command: ['touch', '/kestra/working-dir/go'],
      signal: context.signal,
    });
    await running;
    expect(said(context).filter((line) => line.includes('line '))).toEqual(
      [1, 2, 3, 4].map((i) => `INFO line ${i}`),
    );
  });

  test('killing the task deletes the pod', async () => {
    const context = aContext();
    const running = run(context, 'echo started; sleep 60');
    await untilLogged(context, 'INFO started');
    context.kill();
    await expect(running).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(pods()).toEqual([]));
  });

  test('a further attempt waits for the pod of a lost worker', async () => {
    const first = aContext(aRun(0, 'lost'));
    const script = 'echo started; sleep 1; echo "::{\\"outputs\\":{\\"done\\":true}}::"';
    // The pod stays when it ends, as with a lost worker.
    void run(first, script, { delete: false }).catch(() => {});
    await untilLogged(first, 'INFO started');
    const second = aContext(aRun(1, 'lost'));
    expect(await run(second, 'exit 1')).toMatchObject({ vars: { done: true } });
    expect(said(second)[0]).toMatch(/^INFO Waiting for the pod .*-lost-0 of the lost worker/);
    first.kill();
  });
});

const connectionInput = () => ({
  ...connectionTo(server),
  apiVersion: 'v1',
  clientKeyAlgo: 'RSA',
  trustCerts: false,
  disableHostnameVerification: false,
});

describe('kubernetes.runner.Kubernetes', () => {
  const commands = scriptsFamily.types.find(
    ({ type }) => type === 'scripts.shell.Commands',
  ) as TaskDefinition;
  const run = (context: TestContext, properties: Record<string, unknown>) => {
    const { taskRunner, ...rest } = properties as { taskRunner?: object };
    const runner = { type: 'kubernetes.runner.Kubernetes', connection: connectionTo(server), ...taskRunner };
    return runType(commands, { containerImage: 'busybox', ...rest, taskRunner: runner }, context);
  };

  test('runs a script in a pod with its files, variables and outputs', async () => {
    const context = aContext();
    const { outputFiles, vars, exitCode, taskRunner } = await run(context, {
      inputFiles: { 'in/data.txt': 'seven' },
      env: { GREETING: 'hello world' },
      commands: [
        'cat in/data.txt > out.txt; echo "$GREETING"',
        'echo y > "$OUTPUT_DIR/own.txt"; ln -s /etc/passwd link',
        `echo '::{"outputs":{"a":1}}::'`,
      ],
      outputFiles: ['out.txt', 'link'],
      taskRunner: { resources: { limit: { memory: '512Mi' } }, serviceAccountName: 'robot' },
    });
    expect({ vars, exitCode }).toEqual({ vars: { a: 1 }, exitCode: 0 });
    expect(taskRunner).toMatchObject({ podName: expect.stringMatching(/-run-\d+-0$/) });
    const files = outputFiles as Record<string, string>;
    expect(Object.keys(files).sort()).toEqual(['out.txt', 'own.txt']);
    expect(await context.files.text(files['out.txt'] ?? '')).toBe('seven');
    expect(said(context)).toContain('INFO hello world');
    expect(pods()).toEqual([]);
  });

  test('sends what the task asks for to the API server', async () => {
    const context = aContext();
    await run(context, {
      commands: ['true'],
      taskRunner: {
        delete: false,
        pullPolicy: 'ALWAYS',
        labels: { team: 'data' },
        nodeSelector: { disk: 'ssd' },
        resources: { request: { cpu: '1' }, limit: { memory: '1Gi' } },
        podSpec: { tolerations: [{ key: 'gpu' }] },
        containerSpec: { envFrom: [{ secretRef: { name: 's' } }] },
        containerDefaultSpec: { securityContext: { runAsNonRoot: true } },
        fileSidecar: { image: 'alpine', resources: { limits: { cpu: '100m' } } },
      },
    });
    const [pod] = pods();
    const spec = pod?.spec as { containers: object[]; initContainers: object[] };
    expect(pod?.metadata.labels).toMatchObject({ team: 'data', 'kestra.io/namespace': 'company.team' });
    expect(spec).toMatchObject({
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'gpu' }],
      restartPolicy: 'Never',
    });
    expect(spec.containers[0]).toMatchObject({
      imagePullPolicy: 'Always',
      resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
      envFrom: [{ secretRef: { name: 's' } }],
      securityContext: { runAsNonRoot: true },
    });
    expect(spec.initContainers[0]).toMatchObject({ image: 'alpine', resources: { limits: { cpu: '100m' } } });
    for (const [path, { kind }] of server.resources) if (kind === 'Pod') server.resources.delete(path);
  });

  test('a script that fails, fails the task and keeps its files', async () => {
    const context = aContext();
    const failure = run(context, { commands: ['echo x > a.txt', 'exit 4'], outputFiles: ['a.txt'] });
    await expect(failure).rejects.toThrow('Command failed with exit code 4');
    await failure.catch((error: unknown) =>
      expect(error).toMatchObject({ outputs: { outputFiles: { 'a.txt': expect.any(String) } } }),
    );
  });

  test('killing the task deletes the pod', async () => {
    const context = aContext();
    const running = run(context, { commands: ['echo started; sleep 60'] });
    await untilLogged(context, 'INFO started');
    context.kill();
    await expect(running).rejects.toThrow();
    await vi.waitFor(() => expect(pods()).toEqual([]));
  });

  test('a large folder arrives whole in both directions', async () => {
    const context = aContext();
    const { outputFiles } = await run(context, {
      inputFiles: { 'big.txt': 'x'.repeat(3_000_000) },
      commands: ['cat big.txt big.txt > bigger.txt'],
      outputFiles: ['bigger.txt'],
    });
    const uri = (outputFiles as Record<string, string>)['bigger.txt'] ?? '';
    expect(await context.files.sizeOf(uri)).toBe(6_000_000);
  });
});
