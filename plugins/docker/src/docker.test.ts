import type { TaskDefinition } from '@millrace/plugin-kit';
import {
  aTaskContext,
  realNetwork,
  realProcesses,
  runType,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { type FakeDocker, startFakeDocker } from '@millrace/plugin-scripts/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { build } from './build.ts';
import { compose } from './compose.ts';
import { prune, rm, stop } from './containers.ts';
import { imageLs, pull, push, tag } from './images.ts';
import { run } from './run.ts';

let engine: FakeDocker;
beforeEach(async () => {
  engine = await startFakeDocker();
});
afterEach(() => engine.close());

const aContext = (configuration: Record<string, unknown> = {}): TestContext =>
  aTaskContext({
    ...realNetwork(),
    spawn: realProcesses,
    configuration: () => ({ host: `unix://${engine.socketPath}`, ...configuration }),
  });
const go = (type: TaskDefinition, properties: Record<string, unknown>, context = aContext()) =>
  runType(type, properties, context);
const said = ({ logs }: TestContext) => logs.map(({ level, message }) => `${level} ${message}`);
const credentials = { registry: 'registry.test', username: 'robot', password: 'correct-horse' };

describe('docker.cli.Run', () => {
  test('keeps the entry point of the image and passes the commands without a shell', async () => {
    const context = aContext();
    const { vars, exitCode, outputFiles } = await go(
      run,
      {
        containerImage: 'here',
        entryPoint: ['sh', '-c'],
        commands: [`cat in.txt; echo "$NAME" > out.txt; echo '::{"outputs":{"a":1}}::'`],
        env: { NAME: 'me' },
        inputFiles: { 'in.txt': 'hello\n' },
        outputFiles: ['out.txt'],
      },
      context,
    );
    expect({ vars, exitCode }).toEqual({ vars: { a: 1 }, exitCode: 0 });
    expect(await context.files.text((outputFiles as Record<string, string>)['out.txt'] ?? '')).toBe('me\n');
    expect(said(context)).toContain('INFO hello');
    expect(engine.containers[0]?.options).toMatchObject({ Entrypoint: ['sh', '-c'] });
    await go(run, { containerImage: 'here', commands: ['true'] });
    expect(engine.containers[1]?.options).not.toHaveProperty('Entrypoint');
  });

  test('fails with the exit code of the container', async () => {
    const properties = { containerImage: 'here', commands: ['sh', '-c', 'exit 3'] };
    await expect(go(run, properties)).rejects.toThrow('The container ended with exit code 3');
  });

  test('leaves a container running with wait: false, which Stop ends and deletes', async () => {
    const outputs = await go(run, { containerImage: 'here', commands: ['sleep', '60'], wait: false });
    const { containerId } = outputs.taskRunner as { containerId: string };
    expect(engine.containers[0]).toMatchObject({ id: containerId, state: 'running' });
    await go(stop, { containerId, kill: true });
    expect(engine.containers[0]?.state).toBe('removed');
    await expect(go(stop, { containerId })).rejects.toThrow('No such container');
  });

  test('killing the task ends the container', async () => {
    const context = aContext();
    const running = go(run, { containerImage: 'here', commands: ['sh', '-c', 'echo up; sleep 60'] }, context);
    await vi.waitFor(() => expect(said(context)).toContain('INFO up'), { timeout: 30_000 });
    context.kill();
    await expect(running).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(engine.containers[0]?.state).toBe('removed'));
  });

  test.each([
    [{ volumes: ['/etc:/etc'] }, 'does not allow volumes'],
    [{ privileged: true }, 'does not allow privileged containers'],
  ])('refuses %j unless the server allows it', async (more, message) => {
    await expect(go(run, { containerImage: 'here', ...more })).rejects.toThrow(message);
  });
});

describe('docker.cli.Build', () => {
  test('builds from an inline Dockerfile, tags and pushes, without ignored files', async () => {
    const context = aContext();
    const outputs = await go(
      build,
      {
        dockerfile: 'FROM scratch\nCOPY . /app\n',
        inputFiles: {
          'app.py': 'print(1)',
          'secret.env': 'x',
          'keep/a.log': '1',
          'keep/b.log': '2',
          '.dockerignore': '*.env\nkeep\n!keep/b.log',
        },
        tags: ['team/app', 'team/app:1.0'],
        buildArgs: { VERSION: '1' },
        labels: { team: 'data' },
        target: 'final',
        push: true,
        credentials,
      },
      context,
    );
    expect(outputs).toEqual({ imageId: 'sha256:abc' });
    const [made] = engine.builds;
    expect(Object.keys(made?.files ?? {}).filter((path) => !path.startsWith('.'))).toEqual([
      'app.py',
      'keep/b.log',
    ]);
    expect(Object.fromEntries(made?.query ?? [])).toMatchObject({
      t: 'registry.test/team/app:latest',
      buildargs: '{"VERSION":"1"}',
      labels: '{"team":"data"}',
      target: 'final',
      pull: 'true',
    });
    expect(made?.registries).toMatchObject({
      'registry.test': { username: 'robot', password: 'correct-horse' },
    });
    expect([...engine.images]).toEqual(
      expect.arrayContaining(['registry.test/team/app:latest', 'registry.test/team/app:1.0']),
    );
    expect(engine.logins).toHaveLength(2);
    expect(said(context)).toContain('INFO Step 1/1 : FROM scratch');
    expect(context.metrics).toMatchObject([{ name: 'bytes', value: expect.any(Number) }]);
    expect(JSON.stringify(context.logs)).not.toContain('correct-horse');
  });

  test('takes a Dockerfile of the working directory', async () => {
    await go(build, {
      dockerfile: 'docker/Dockerfile',
      inputFiles: { 'docker/Dockerfile': 'FROM scratch' },
      tags: ['a:1'],
    });
    expect(engine.builds[0]?.query.get('dockerfile')).toBe('docker/Dockerfile');
  });

  test.each([
    [
      'a command that fails',
      { dockerfile: 'FROM scratch\nRUN false' },
      'The build failed: The command "false" returned',
    ],
    ['a file that is not there', { dockerfile: 'other/Dockerfile' }, 'There is no file "other/Dockerfile"'],
  ])('reports %s', async (_, properties, message) => {
    await expect(go(build, { tags: ['a:1'], ...properties })).rejects.toThrow(message);
  });
});

describe('images', () => {
  test('Pull, Tag, ImageLs, Push and Rm work on the images of the engine', async () => {
    await go(pull, { image: 'tool:2', credentials });
    expect(engine.images.has('registry.test/tool:2')).toBe(true);
    await go(tag, { sourceImage: 'registry.test/tool:2', targetImage: 'team/tool' });
    expect(await go(imageLs, { imageNameFilter: 'team/*', labelFilter: { a: 'b' } })).toMatchObject({
      count: 3,
      images: expect.arrayContaining([
        {
          id: 'sha256:team/tool:latest',
          repoTags: ['team/tool:latest'],
          repoDigests: [],
          size: 10,
          created: 1,
          labels: {},
        },
      ]),
    });
    const listing = engine.calls.find((call) => call.startsWith('GET /images/json')) ?? '';
    expect(decodeURIComponent(listing)).toContain('filters={"reference":["team/*"],"label":["a=b"]}');
    await go(push, { tags: ['team/tool'] });
    await go(rm, { imageIds: ['team/tool'] });
    expect(engine.images.has('team/tool:latest')).toBe(false);
  });

  test.each([
    ['an image that is not there', push, { tags: ['none:1'] }, 'could not be pushed'],
    ['a registry that refuses', push, { tags: ['denied:1'] }, 'denied: requested access'],
    ['an image that cannot be pulled', pull, { image: 'missing:1' }, 'manifest for missing:1 not found'],
    [
      'removing what is not there',
      rm,
      { imageIds: ['none'] },
      'The container engine refused: No such image: none',
    ],
    ['an id that is empty', stop, {}, '"containerId" is empty'],
  ])('reports %s', async (_, type, properties, message) => {
    engine.images.add('denied:1');
    await expect(go(type, properties)).rejects.toThrow(message);
  });

  test.each([
    [
      'IMAGES',
      { dangling: true, until: '24h', labelFilters: ['a'] },
      '/images/prune?filters={"dangling":["true"],"until":["24h"],"label":["a"]}',
    ],
    ['BUILD', { until: '24h' }, '/build/prune?filters={"until":["24h"]}'],
    ['VOLUMES', { until: '24h' }, '/volumes/prune?filters={}'],
    ['CONTAINERS', {}, '/containers/prune?filters={}'],
  ])('Prune sends its filters for %s', async (pruneType, properties, call) => {
    await go(prune, { pruneType, ...properties });
    expect(decodeURIComponent(engine.calls.at(-1) ?? '')).toBe(`POST ${call}`);
  });

  test('an engine that is not there is reported', async () => {
    const context = aContext({ host: 'unix:///nowhere.sock' });
    await expect(go(pull, { image: 'a' }, context)).rejects.toThrow('could not be pulled');
    await expect(go(imageLs, {}, aContext({ host: 'unix:///nowhere.sock' }))).rejects.toThrow(
      'could not be reached',
    );
  });
});

test('docker.cli.Compose runs docker compose with its files and arguments', async () => {
  const context = aContext();
  await go(
    compose,
    {
      composeFile: 'services:\n  web:\n    image: nginx\n',
      composeFiles: ['extra.yml'],
      composeArgs: ['up', '--detach', "it's"],
      // A fake program prints its arguments.
      inputFiles: { docker: '#!/bin/sh\necho "$@"\ncat "$3"\n' },
      beforeCommands: ['chmod +x docker', 'PATH="$PWD:$PATH"'],
    },
    context,
  );
  expect(said(context).slice(0, 2)).toEqual([
    "INFO compose -f compose.millrace.yml -f extra.yml up --detach it's",
    'INFO services:',
  ]);
});
