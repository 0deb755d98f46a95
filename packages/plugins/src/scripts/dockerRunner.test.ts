import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runType } from '../kit/testing/runType.ts';
import { aTaskContext } from '../kit/testing/testContext.ts';
import { shell } from './languages/shell.ts';
import { ProcessHelper } from './process/processHelper.ts';

/** Stands in for Docker: notes its arguments, and runs what would run in the container. */
const program = `#!/bin/sh
printf '%s\\n' "$@" >> "$NOTES"
case " $* " in *" rm "*) exit 0;; esac
while [ "$1" != an-image ]; do shift; done
shift
exec "$@"
`;

let folder: string;
let helper: ProcessHelper;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-docker-'));
  await writeFile(join(folder, 'docker'), program);
  await chmod(join(folder, 'docker'), 0o755);
  helper = new ProcessHelper({ environment: { PATH: `${folder}:${process.env.PATH}` }, graceMs: 100 });
});
afterAll(async () => {
  await helper.close();
  await rm(folder, { recursive: true, force: true });
});

function aDockerContext() {
  const notes = join(folder, `notes-${Math.random()}`);
  const context = aTaskContext({
    variables: { word: 'p' },
    spawn: (request) => helper.spawn({ ...request, env: { ...request.env, NOTES: notes } }),
  });
  return { context, notes: async () => (await readFile(notes, 'utf8')).trimEnd().split('\n') };
}

test('the job runs in a container that sees the working folder', async () => {
  const { context, notes } = aDockerContext();
  const properties = {
    commands: ['echo "$GREETING" > out.txt'],
    env: { GREETING: 'hello', HOME: '/root' },
    outputFiles: ['out.txt'],
    containerImage: 'an-image',
    taskRunner: {
      type: 'io.kestra.plugin.scripts.runner.docker.Docker',
      pullPolicy: 'NEVER',
      host: 'tcp://docker:2375',
      cpu: { cpus: 1.5 },
      memory: { memory: '512MB' },
      credentials: { registry: 'r.example.com', username: 'u', password: '{{ word }}' },
    },
  };
  const { outputFiles } = await runType(shell[1], properties, context);
  expect(await context.files.text((outputFiles as Record<string, string>)['out.txt']!)).toBe('hello\n');
  const work = await context.workingDirectory();
  const said = (await notes()).join(' ');
  expect(said).toContain(
    `--config ${work}/.millrace-docker --host tcp://docker:2375 run --name millrace-run1-0 --rm --pull never`,
  );
  expect(said).toContain(`--volume ${work}:${work} --workdir ${work}`);
  expect(said).toContain('--env GREETING --env HOME=/root');
  expect(said).toContain('--label millrace.execution-id=execution1');
  expect(said).toContain('--cpus 1.5 --memory 512m an-image /bin/sh -c set -e');
  const login = JSON.parse(await readFile(join(work, '.millrace-docker/config.json'), 'utf8'));
  expect(login).toEqual({ auths: { 'r.example.com': { auth: 'dTpw' } } });
});

test('a killed task removes its container', async () => {
  const { context, notes } = aDockerContext();
  const taskRunner = { type: 'scripts.runner.docker.Docker' };
  const running = runType(
    shell[1],
    { commands: ['sleep 600'], containerImage: 'an-image', taskRunner },
    context,
  );
  await vi.waitFor(async () => expect(await notes()).toContain('an-image'), { timeout: 10_000 });
  context.kill();
  await expect(running).rejects.toThrow('aborted');
  expect((await notes()).slice(-3)).toEqual(['rm', '--force', 'millrace-run1-0']);
});

test('the older way to ask for a container', async () => {
  const { context, notes } = aDockerContext();
  await runType(
    shell[1],
    { commands: ['echo hi'], runner: 'DOCKER', docker: { image: 'an-image' } },
    context,
  );
  expect(context.logs).toEqual([{ level: 'INFO', message: 'hi' }]);
  expect(await notes()).toContain('an-image');
});

test.each([{ volumes: ['/:/host'] }, { privileged: true }])('%j is not offered', async (more) => {
  const { context } = aDockerContext();
  const taskRunner = { type: 'scripts.runner.docker.Docker', ...more };
  await expect(runType(shell[1], { commands: ['true'], taskRunner }, context)).rejects.toThrow(
    'Unrecognized field',
  );
});
