import type { RunnerEnd, TaskContext } from '@millrace/plugin-kit';
import { defineRunner, lineIcon, TaskFailed } from '@millrace/plugin-kit';
import type Docker from 'dockerode';
import { copyIn, copyOut } from './containerFiles.ts';
import { type ContainerJob, containerOptions } from './containerOptions.ts';
import { readOutput } from './containerOutput.ts';
import { engineType, openEngine } from './dockerHost.ts';
import { isStatus, provideImage } from './dockerImage.ts';
import { type DockerInput, dockerProperties } from './dockerProperties.ts';
import { clearLeft } from './leftContainers.ts';

export const dockerRunner = defineRunner({
  type: engineType,
  title: 'Run in a container',
  description: `Runs the script in a container of \`image\`, or of the task's \`containerImage\`, on Docker or on Podman. The working folder is copied into the
container and back, or mounted. Killing the task ends the container.

Volumes and privileged containers can take over the machine of the engine. They are refused unless the server's configuration
has \`volumeEnabled: true\` or \`privilegedEnabled: true\` for this type; \`host\` there names the engine.`,
  icon: lineIcon(
    'M3 12h18c0 5-3 7-8 7-6 0-9-2-10-7',
    'M6 9h3v3H6z',
    'M9 9h3v3H9z',
    'M12 9h3v3h-3z',
    'M9 6h3v3H9z',
  ),
  input: () => dockerProperties,
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
  run: runInContainer,
});

/** Runs a job in a container and waits for its end, unless the job is to keep running. */
export async function runInContainer(
  context: TaskContext,
  input: DockerInput,
  asked: ContainerJob,
): Promise<RunnerEnd> {
  const job = { ...asked, containerImage: input.image ?? asked.containerImage ?? '' };
  refuseForbidden(input, context.configuration(engineType));
  const docker = await openEngine(context, input.host);
  await provideImage(docker, job.containerImage, input, context);
  return runContainer(docker, input, job, context);
}

function refuseForbidden(input: DockerInput, configuration: Readonly<Record<string, unknown>>): void {
  const refuse = (what: string, setting: string) => {
    throw new TaskFailed(`This server does not allow ${what}: "${setting}" is not set for ${engineType}.`, {
      retry: false,
    });
  };
  if (input.volumes.length > 0 && configuration.volumeEnabled !== true) refuse('volumes', 'volumeEnabled');
  if (input.privileged && configuration.privilegedEnabled !== true) {
    refuse('privileged containers', 'privilegedEnabled');
  }
}

async function runContainer(docker: Docker, input: DockerInput, job: ContainerJob, context: TaskContext) {
  const { run, signal } = context;
  const name = `millrace-${run.taskRunId}-${run.attempt}`.toLowerCase().replace(/[^a-z0-9_.-]/g, '-');
  signal.throwIfAborted();
  const left = await clearLeft(docker, input, run);
  const container = left?.container ?? (await create(docker, containerOptions(input, job, run, name), name));
  const remove = () => container.remove({ force: true, v: true }).catch(() => {});
  const stop = () => void stopContainer(container, input.killGracePeriod);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (left) await context.log('INFO', 'The container of the lost worker still runs and is waited for.');
    else if (input.fileHandlingStrategy === 'VOLUME') await copyIn(container, job.workingDirectory);
    signal.throwIfAborted();
    if (!input.wait) {
      await container.start();
      return ended(0, container.id);
    }
    // Attaches with the full log, so that a resumed container also yields its earlier outputs.
    const output = await container.attach({
      stream: true,
      logs: left !== undefined,
      stdout: true,
      stderr: true,
    });
    if (!left) await container.start();
    // An abort during startup found no container to stop, so stop it now.
    if (signal.aborted) stop();
    await readOutput(output as AsyncIterable<Uint8Array>, job);
    const { StatusCode } = (await container.wait()) as { readonly StatusCode: number };
    signal.throwIfAborted();
    if (input.fileHandlingStrategy === 'VOLUME') {
      await copyOut(container, left?.workingDirectory ?? job.workingDirectory, job.workingDirectory);
    }
    return ended(StatusCode, input.delete ? undefined : container.id);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    if (signal.aborted || (input.delete && input.wait)) await remove();
  }
}

const ended = (exitCode: number, containerId: string | undefined): RunnerEnd => ({
  exitCode,
  signal: null,
  droppedBytes: { stdout: 0, stderr: 0 },
  ...(containerId !== undefined && { details: { containerId } }),
});

/** Creates the container. A container with the same name is an orphan of a killed server. */
async function create(
  docker: Docker,
  options: Docker.ContainerCreateOptions,
  name: string,
): Promise<Docker.Container> {
  try {
    return await docker.createContainer(options);
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
    await docker.getContainer(name).remove({ force: true, v: true });
    return docker.createContainer(options);
  }
}

/** Stops the container. Errors are ignored: the engine rejects the call when the container is not running. */
async function stopContainer(container: Docker.Container, graceMs: number): Promise<void> {
  const told = graceMs > 0 ? container.stop({ t: Math.ceil(graceMs / 1000) }) : container.kill();
  await told.catch(() => {});
}
