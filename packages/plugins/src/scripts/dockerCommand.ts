import type { RunInfo } from '../kit/context.ts';
import type { RunnerJob } from '../kit/definition.ts';
import type { DockerInput } from './dockerProperties.ts';

/** Variables that would change how the Docker program itself behaves, so they are not handed over through it. */
const ownOfDocker = /^(PATH|HOME|TMPDIR|LANG|DOCKER_.*|LD_.*)$/;

export interface DockerPlace {
  readonly container: string;
  /** The folder with the login to the registry. */
  readonly configFolder?: string;
}

/** Options before the command of the Docker program: which daemon, and which login. */
export const daemonOptions = ({ host }: DockerInput, { configFolder }: DockerPlace): string[] => [
  ...(configFolder === undefined ? [] : ['--config', configFolder]),
  ...(host === undefined ? [] : ['--host', host]),
];

/** The command line that runs the job in a container which sees the working folder under the same path. */
export function dockerCommand(
  input: DockerInput,
  job: RunnerJob,
  run: RunInfo,
  place: DockerPlace,
): [string, ...string[]] {
  const option = (name: string, value: string | number | undefined): string[] =>
    value === undefined || value === '' ? [] : [`--${name}`, String(value)];
  const { memory } = input;
  const [entry, ...entryArguments] = (input.entryPoint ?? []).filter((part) => part !== '');
  return [
    'docker',
    ...daemonOptions(input, place),
    'run',
    ...option('name', place.container),
    ...(input.delete ? ['--rm'] : []),
    ...option('pull', { ALWAYS: 'always', IF_NOT_PRESENT: 'missing', NEVER: 'never' }[input.pullPolicy]),
    ...option('volume', `${job.workingDirectory}:${job.workingDirectory}`),
    ...option('workdir', job.workingDirectory),
    ...Object.entries(job.env).flatMap(([name, value]) =>
      option('env', ownOfDocker.test(name) ? `${name}=${value}` : name),
    ),
    ...labelsOf(run).flatMap(([name, value]) => option('label', `millrace.${name}=${value}`)),
    // The image's own entry point would take our interpreter for an argument, so it is switched off.
    '--entrypoint',
    entry ?? '',
    ...option('user', input.user),
    ...option('network', input.networkMode),
    ...input.extraHosts.flatMap((host) => option('add-host', host)),
    ...input.portBindings.flatMap((port) => option('publish', port)),
    ...option('cpus', input.cpu?.cpus),
    ...option('memory', toDockerSize(memory?.memory)),
    ...option('memory-swap', toDockerSize(memory?.memorySwap)),
    ...option('memory-swappiness', memory?.memorySwappiness),
    ...option('memory-reservation', toDockerSize(memory?.memoryReservation)),
    ...(memory?.oomKillDisable ? ['--oom-kill-disable'] : []),
    ...option('shm-size', toDockerSize(input.shmSize)),
    ...option('gpus', input.gpus),
    job.containerImage ?? '',
    ...entryArguments,
    ...job.command,
  ];
}

const labelsOf = (run: RunInfo): [string, string | number][] => [
  ['namespace', run.namespace],
  ['flow-id', run.flowId],
  ['task-id', run.taskId],
  ['execution-id', run.executionId],
  ['taskrun-id', run.taskRunId],
  ['taskrun-attempt', run.attempt],
];

/** Docker writes `512m` where people write `512MB`. */
const toDockerSize = (text: string | undefined): string | undefined =>
  text?.trim().replace(/\s*([kmgt])?(i?b)?$/i, (_, unit?: string) => (unit ?? '').toLowerCase());
