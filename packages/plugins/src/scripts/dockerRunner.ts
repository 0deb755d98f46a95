import { join } from 'node:path';
import type { TaskContext } from '../kit/context.ts';
import { defineRunner } from '../kit/define.ts';
import { ownPrefix, writeInside } from '../kit/files/insideFolder.ts';
import { lineIcon } from '../kit/icon.ts';
import { type DockerPlace, daemonOptions, dockerCommand } from './dockerCommand.ts';
import { type DockerInput, dockerProperties } from './dockerProperties.ts';

export const dockerRunner = defineRunner({
  type: 'scripts.runner.docker.Docker',
  title: 'Run in a container',
  description: `Runs the script in a Docker container of \`containerImage\`, with the working folder mounted. The \`docker\` program must
be installed on the worker and allowed to reach a daemon. Volumes and privileged containers are not offered: with them a flow
could take over the machine.`,
  icon: lineIcon(
    'M3 12h18c0 5-3 7-8 7-6 0-9-2-10-7',
    'M6 9h3v3H6z',
    'M9 9h3v3H9z',
    'M12 9h3v3h-3z',
    'M9 6h3v3H9z',
  ),
  input: dockerProperties,
  examples: [
    {
      title: 'Python in a container.',
      runs: false,
      code: `id: in_a_container
namespace: company.team

tasks:
  - id: hello
    type: scripts.python.Script
    containerImage: python:3.13-slim
    taskRunner:
      type: scripts.runner.docker.Docker
      memory:
        memory: 512MB
    script: print("Hello from a container")
`,
    },
  ],
  async run(context, input, job) {
    const place: DockerPlace = {
      container: `millrace-${context.run.taskRunId}-${context.run.attempt}`
        .toLowerCase()
        .replace(/[^a-z0-9_.-]/g, '-'),
      ...(input.credentials && { configFolder: await writeLogin(job.workingDirectory, input.credentials) }),
    };
    try {
      return await context.spawn({
        command: dockerCommand(input, job, context.run, place),
        workingDirectory: job.workingDirectory,
        env: job.env,
        signal: context.signal,
        graceMs: Math.max(input.killGracePeriod, 1000),
        onStdout: job.onStdout,
        onStderr: job.onStderr,
      });
    } finally {
      if (context.signal.aborted) await removeContainer(context, input, place, job.workingDirectory);
    }
  },
});

/** Killing the Docker program leaves its container alive; this ends it for good. */
async function removeContainer(
  context: TaskContext,
  input: DockerInput,
  place: DockerPlace,
  folder: string,
): Promise<void> {
  await context.spawn({
    command: ['docker', ...daemonOptions(input, place), 'rm', '--force', place.container],
    workingDirectory: folder,
    onStdout: () => {},
    onStderr: () => {},
  });
}

/** The login as Docker keeps it, in a folder of the task that is removed with it. */
async function writeLogin(
  folder: string,
  credentials: NonNullable<DockerInput['credentials']>,
): Promise<string> {
  const {
    registry = 'https://index.docker.io/v1/',
    username,
    password,
    identityToken,
    registryToken,
  } = credentials;
  const auth =
    credentials.auth ??
    (username === undefined ? undefined : Buffer.from(`${username}:${password ?? ''}`).toString('base64'));
  const login = {
    ...(auth !== undefined && { auth }),
    ...(identityToken !== undefined && { identitytoken: identityToken }),
    ...(registryToken !== undefined && { registrytoken: registryToken }),
  };
  const name = `${ownPrefix}docker`;
  await writeInside(folder, `${name}/config.json`, JSON.stringify({ auths: { [registry]: login } }));
  return join(folder, name);
}
