import type { RunInfo } from '@millrace/plugin-kit';
import type Docker from 'dockerode';
import { taskRunLabel, waitedLabel } from './containerOptions.ts';
import type { DockerInput } from './dockerProperties.ts';

export interface LeftContainer {
  readonly container: Docker.Container;
  /** The path of the working folder inside the container. */
  readonly workingDirectory: string;
}

/**
 * Cleans up containers that earlier attempts of this task run left on the engine because their worker was
 * lost. A container that still runs is resumed, all others are removed. A container with a mounted folder
 * cannot be resumed, because the folder was lost with the worker.
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
