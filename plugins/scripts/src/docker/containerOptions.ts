import type { RunInfo, RunnerJob } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';
import type Docker from 'dockerode';
import type { DockerInput } from './dockerProperties.ts';

export interface ContainerJob extends Omit<RunnerJob, 'command'> {
  /** Empty for the command of the image. */
  readonly command: readonly string[];
  /** The entry point of the image stays, and the command is its arguments. */
  readonly keepsEntryPoint?: boolean;
}

/** The create request for the engine. The container mounts the working folder under the server's path. */
export function containerOptions(
  input: DockerInput,
  job: ContainerJob,
  run: RunInfo,
  name: string,
): Docker.ContainerCreateOptions {
  const { memory, cpu } = input;
  const entry = (input.entryPoint ?? []).filter((word) => word !== '');
  const ports = input.portBindings.map(readPort);
  const folder = job.workingDirectory;
  return {
    name,
    Image: job.containerImage ?? '',
    // The image's entry point is disabled, because it would treat our interpreter as an argument.
    ...(entry.length > 0 ? { Entrypoint: entry } : job.keepsEntryPoint ? {} : { Entrypoint: [''] }),
    ...(job.command.length > 0 && { Cmd: [...job.command] }),
    Env: Object.entries(job.env).map(([key, value]) => `${key}=${value}`),
    WorkingDir: folder,
    Labels: { ...labelsOf(run), [waitedLabel]: String(input.wait) },
    Tty: false,
    ...(input.user === undefined ? {} : { User: input.user }),
    ...(input.fileHandlingStrategy === 'VOLUME' ? { Volumes: { [folder]: {} } } : {}),
    ...(ports.length > 0
      ? { ExposedPorts: Object.fromEntries(ports.map(({ container }) => [container, {}])) }
      : {}),
    HostConfig: {
      Binds: [...(input.fileHandlingStrategy === 'MOUNT' ? [`${folder}:${folder}`] : []), ...input.volumes],
      ...(input.privileged ? { Privileged: true } : {}),
      ...(input.networkMode === undefined ? {} : { NetworkMode: input.networkMode }),
      ...(input.extraHosts.length > 0 ? { ExtraHosts: input.extraHosts } : {}),
      ...(ports.length > 0
        ? {
            PortBindings: Object.fromEntries(
              ports.map(({ container, host }) => [container, [{ HostPort: host }]]),
            ),
          }
        : {}),
      ...(cpu?.cpus === undefined ? {} : { NanoCpus: Math.round(cpu.cpus * 1e9) }),
      ...sizes({
        Memory: memory?.memory,
        MemorySwap: memory?.memorySwap,
        MemoryReservation: memory?.memoryReservation,
        ShmSize: input.shmSize,
      }),
      ...(memory?.memorySwappiness === undefined
        ? {}
        : { MemorySwappiness: Number(memory.memorySwappiness) }),
      ...(memory?.oomKillDisable ? { OomKillDisable: true } : {}),
      ...(input.deviceRequests.length > 0 ? { DeviceRequests: input.deviceRequests.map(toRequest) } : {}),
    },
  };
}

/** Whether a task waits for the container: a container without a waiting task is detached, not orphaned. */
export const waitedLabel = 'millrace.waited';
export const taskRunLabel = 'millrace.taskrun-id';

const labelsOf = (run: RunInfo): Record<string, string> => ({
  'millrace.namespace': run.namespace,
  'millrace.flow-id': run.flowId,
  'millrace.task-id': run.taskId,
  'millrace.execution-id': run.executionId,
  [taskRunLabel]: run.taskRunId,
  'millrace.taskrun-attempt': String(run.attempt),
});

type DeviceRequest = DockerInput['deviceRequests'][number];

const toRequest = ({ driver, count, deviceIds, capabilities, options }: DeviceRequest) => ({
  ...(driver === undefined ? {} : { Driver: driver }),
  ...(count === undefined ? {} : { Count: count }),
  ...(deviceIds === undefined ? {} : { DeviceIDs: deviceIds }),
  ...(capabilities === undefined ? {} : { Capabilities: capabilities }),
  ...(options === undefined ? {} : { Options: options }),
});

function readPort(text: string): { readonly host: string; readonly container: string } {
  const match = /^(?:(\d+):)?(\d+)(?:\/(tcp|udp))?$/.exec(text.trim());
  if (!match) {
    throw new TaskFailed(`"${text}" is no port; expected \`host:container\`, for example \`8080:80\`.`, {
      retry: false,
    });
  }
  const [, host = '', container = '', protocol = 'tcp'] = match;
  return { host, container: `${container}/${protocol}` };
}

const factors: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** `512MB`, `512m` and `536870912` mean the same; `-1` lifts a limit. */
export function readSize(text: string): number {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text);
  if (!match) {
    throw new TaskFailed(`"${text}" is no size; expected something like \`512MB\`.`, { retry: false });
  }
  return Math.round(Number(match[1]) * (factors[(match[2] ?? '').toLowerCase()] ?? 1));
}

const sizes = (texts: Readonly<Record<string, string | undefined>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, readSize(text)]])),
  );
