import { existsSync } from 'node:fs';
import type { TaskContext } from '@millrace/plugin-kit';
import { importModule, TaskFailed } from '@millrace/plugin-kit';
import type Docker from 'dockerode';

/** The type whose configuration sets the engine and the container permissions of every container task. */
export const engineType = 'scripts.runner.docker.Docker';

/** A client of the engine that the task, the configuration or the machine of the worker names. */
export async function openEngine(context: TaskContext, asked: string | undefined): Promise<Docker> {
  const { host } = context.configuration(engineType);
  const configured = typeof host === 'string' ? host : undefined;
  const options = await chooseHost(context, { asked, configured });
  // A few megabytes that servers without containers never need.
  const { default: Engine } = await importModule<{ default: typeof Docker }>('dockerode');
  return new Engine(options);
}

/** Where Docker and Podman listen on the machine of a worker, in the order of asking. */
function localSockets(env: Readonly<Record<string, string | undefined>>): string[] {
  const own = env.XDG_RUNTIME_DIR;
  return [
    '/var/run/docker.sock',
    ...(own === undefined ? [] : [`${own}/docker.sock`, `${own}/podman/podman.sock`]),
    '/run/podman/podman.sock',
  ];
}

export interface HostChoice {
  /** The host that the flow requests. */
  readonly asked: string | undefined;
  /** The host of the server's configuration. */
  readonly configured: string | undefined;
}

/**
 * The engine's address. A socket grants control of the machine, so a flow can use only the configured one.
 */
export async function chooseHost(
  context: TaskContext,
  { asked, configured }: HostChoice,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Docker.DockerOptions> {
  const given = configured ?? env.DOCKER_HOST;
  const chosen = asked ?? given;
  if (chosen === undefined) return { socketPath: findLocalSocket(env) };
  if (chosen.startsWith('unix://') || chosen.startsWith('/')) {
    const path = chosen.replace(/^unix:\/\//, '');
    const known = [given?.replace(/^unix:\/\//, ''), ...localSockets(env)];
    if (asked !== undefined && !known.includes(path)) {
      throw new TaskFailed(`The socket "${path}" is not one that this server is configured with.`, {
        retry: false,
      });
    }
    return { socketPath: path };
  }
  const url = readAddress(chosen);
  if (asked !== undefined) await context.mayReach(url.href);
  return {
    protocol: url.protocol === 'https:' ? 'https' : 'http',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (url.protocol === 'https:' ? 2376 : 2375)),
  };
}

function findLocalSocket(env: Readonly<Record<string, string | undefined>>): string {
  const found = localSockets(env).find((path) => existsSync(path));
  if (found === undefined) {
    throw new TaskFailed(
      'There is no Docker or Podman on this machine; set "host", or use the task runner core.runner.Process.',
      { retry: false },
    );
  }
  return found;
}

function readAddress(text: string): URL {
  const address = text.replace(/^tcp:/, 'http:');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TaskFailed(`"${text}" is no address of an engine; expected tcp://host:port or unix:///path.`, {
    retry: false,
  });
}
