import type { TaskContext } from '@millrace/plugin-kit';
import { messageOf, TaskFailed } from '@millrace/plugin-kit';
import type Docker from 'dockerode';
import type { DockerInput } from './dockerProperties.ts';

/** Ensures that the image is available, following the pull policy. */
export async function provideImage(
  docker: Docker,
  image: string,
  input: DockerInput,
  context: TaskContext,
): Promise<void> {
  if (input.pullPolicy !== 'ALWAYS' && (await isThere(docker, withTag(image)))) return;
  if (input.pullPolicy === 'NEVER') {
    throw new TaskFailed(`The image "${image}" is not there, and the pull policy is NEVER.`, {
      retry: false,
    });
  }
  await pullImage(docker, image, input, context);
}

export async function pullImage(
  docker: Docker,
  image: string,
  input: Logins,
  context: TaskContext,
): Promise<void> {
  const name = withTag(image);
  await context.log('DEBUG', `Pulling ${name}`);
  const login = loginOf(name, input);
  try {
    const progress = await docker.pull(name, {
      ...(login && { authconfig: login }),
      abortSignal: context.signal,
    });
    for await (const _ of readProgress(progress));
  } catch (error) {
    context.signal.throwIfAborted();
    throw new TaskFailed(`The image "${image}" could not be pulled: ${messageOf(error)}`, { cause: error });
  }
}

/** Without a tag the engine would pull every version there is. */
export function withTag(image: string): string {
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

export interface EngineStep {
  /** A line of the log of a build. */
  readonly stream?: string;
  readonly status?: string;
  readonly id?: string;
  readonly error?: string;
  readonly aux?: Readonly<Record<string, unknown>>;
}

/** The steps of a pull, push or build. The engine responds with a line for each and reports a failure in one of them. */
export async function* readProgress(progress: NodeJS.ReadableStream): AsyncGenerator<EngineStep> {
  let pending = '';
  for await (const chunk of progress) {
    pending += String(chunk);
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield readStep(line);
  }
  if (pending.trim() !== '') yield readStep(pending);
}

function readStep(line: string): EngineStep {
  const step: EngineStep = JSON.parse(line);
  if (typeof step.error === 'string') throw new Error(step.error);
  return step;
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

export type Logins = Pick<DockerInput, 'credentials' | 'config'>;

/** The login for the image's registry, from the task's `credentials` or its `config`. */
export function loginOf(image: string, { credentials, config }: Logins): Login | undefined {
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
