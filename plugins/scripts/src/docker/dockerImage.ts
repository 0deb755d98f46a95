import type { TaskContext } from '@millrace/plugin-kit';
import { messageOf, TaskFailed } from '@millrace/plugin-kit';
import type Docker from 'dockerode';
import type { DockerInput } from './dockerProperties.ts';

/** Makes sure that the image is there, as the policy says. */
export async function provideImage(
  docker: Docker,
  image: string,
  input: DockerInput,
  context: TaskContext,
): Promise<void> {
  const name = withTag(image);
  if (input.pullPolicy !== 'ALWAYS' && (await isThere(docker, name))) return;
  if (input.pullPolicy === 'NEVER') {
    throw new TaskFailed(`The image "${image}" is not there, and the pull policy is NEVER.`, {
      retry: false,
    });
  }
  await context.log('DEBUG', `Pulling ${name}`);
  const login = loginOf(name, input);
  try {
    const progress = await docker.pull(name, {
      ...(login && { authconfig: login }),
      abortSignal: context.signal,
    });
    await finished(progress);
  } catch (error) {
    context.signal.throwIfAborted();
    throw new TaskFailed(`The image "${image}" could not be pulled: ${messageOf(error)}`, { cause: error });
  }
}

/** Without a tag the engine would pull every version there is. */
function withTag(image: string): string {
  const last = image.split('/').at(-1) ?? image;
  return last.includes(':') || image.includes('@') ? image : `${image}:latest`;
}

async function isThere(docker: Docker, image: string): Promise<boolean> {
  try {
    await docker.getImage(image).inspect();
    return true;
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
}

export const isStatus = (error: unknown, status: number): boolean =>
  typeof error === 'object' && error !== null && 'statusCode' in error && error.statusCode === status;

/** The engine answers a pull with a line per step and tells a failure in one of them. */
async function finished(progress: NodeJS.ReadableStream): Promise<void> {
  let pending = '';
  for await (const chunk of progress) {
    pending += String(chunk);
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) refuseError(line);
  }
  refuseError(pending);
}

function refuseError(line: string): void {
  if (!line.includes('"error"')) return;
  const { error }: { error?: unknown } = JSON.parse(line);
  if (typeof error === 'string') throw new Error(error);
}

const dockerHub = 'https://index.docker.io/v1/';

interface Login {
  readonly username?: string;
  readonly password?: string;
  readonly serveraddress: string;
  readonly identitytoken?: string;
  readonly registrytoken?: string;
}

function registryOf(image: string): string {
  const [first = ''] = image.split('/');
  const isHost = image.includes('/') && (/[.:]/.test(first) || first === 'localhost');
  return isHost ? first : dockerHub;
}

/** The login for the registry of the image: as the task says, or as its `config` does. */
export function loginOf(image: string, { credentials, config }: DockerInput): Login | undefined {
  const serveraddress = credentials?.registry ?? registryOf(image);
  const given = credentials ?? loginInConfig(config, serveraddress);
  if (!given) return undefined;
  const pair = given.auth === undefined ? [] : Buffer.from(given.auth, 'base64').toString('utf8').split(':');
  const username = given.username ?? pair[0];
  const password = given.password ?? (pair.length > 1 ? pair.slice(1).join(':') : undefined);
  return {
    serveraddress,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(given.identityToken !== undefined && { identitytoken: given.identityToken }),
    ...(given.registryToken !== undefined && { registrytoken: given.registryToken }),
  };
}

function loginInConfig(config: unknown, registry: string): DockerInput['credentials'] {
  const read: unknown = typeof config === 'string' ? parseConfig(config) : config;
  const auths = entryOf(read, 'auths');
  const login = entryOf(auths, registry) ?? entryOf(auths, `https://${registry}`);
  if (login === undefined) return undefined;
  const word = (name: string) => {
    const value = entryOf(login, name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    username: word('username'),
    password: word('password'),
    auth: word('auth'),
    identityToken: word('identitytoken'),
    registryToken: word('registrytoken'),
  };
}

function parseConfig(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TaskFailed('"config" is not the JSON of a Docker configuration.', { retry: false });
  }
}

const entryOf = (map: unknown, key: string): unknown =>
  typeof map === 'object' && map !== null
    ? Object.entries(map).find(([name]) => name === key)?.[1]
    : undefined;
