import type { RunInfo } from '@millrace/plugin-kit';
import type Docker from 'dockerode';
import { taskRunLabel, waitedLabel } from './containerOptions.ts';
import type { DockerInput } from './dockerProperties.ts';

export interface LeftContainer {
  readonly container: Docker.Container;
  /** The working folder as the container knows it. */
  readonly workingDirectory: string;
}

/**
 * What earlier attempts of this task run have left on the engine, because their worker was lost: a container that still runs
 * is taken over, all others make place. A mounted folder went with the worker, so that its container is of no use.
 */
export async function clearLeft(
  docker: Docker,
  input: DockerInput,
  run: RunInfo,
): Promise<LeftContainer | undefined> {
  if (run.attempt === 0) return undefined;
  const label = [`${taskRunLabel}=${run.taskRunId}`, `${waitedLabel}=true`];
  const found = await docker.listContainers({ all: true, filters: { label } });
  const canResume = input.resume && input.wait && input.fileHandlingStrategy === 'VOLUME';
  const running = canResume ? found.find(({ State }) => State === 'running') : undefined;
  for (const { Id, State } of found) {
    if (Id === running?.Id || (State !== 'running' && !input.delete)) continue;
    await docker
      .getContainer(Id)
      .remove({ force: true, v: true })
      .catch(() => {});
  }
  if (!running) return undefined;
  const container = docker.getContainer(running.Id);
  const { Config } = await container.inspect();
  return { container, workingDirectory: Config.WorkingDir };
}
