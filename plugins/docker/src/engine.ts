import type { TaskContext } from '@millrace/plugin-kit';
import { messageOf, TaskFailed } from '@millrace/plugin-kit';
import { type DockerInput, dockerProperties, isStatus, openEngine } from '@millrace/plugin-scripts';
import type Docker from 'dockerode';

const { host, config, credentials } = dockerProperties.shape;

/** The engine and its registry logins, which every task of this family has. */
export const engineProperties = { host, config, credentials };
export type EngineInput = Pick<DockerInput, 'host' | 'config' | 'credentials'>;

/** Calls the engine. A failure contains the engine's message and whether a retry can help. */
export async function withEngine<T>(
  context: TaskContext,
  input: EngineInput,
  work: (docker: Docker) => Promise<T>,
): Promise<T> {
  for (const secret of Object.values(input.credentials ?? {})) {
    if (secret && secret !== input.credentials?.registry && secret !== input.credentials?.username)
      context.masker.add(secret);
  }
  try {
    return await work(await openEngine(context, input.host));
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(explain(error), { retry: !isRefusal(error), cause: error });
  }
}

const unreachable = new Set(['ECONNREFUSED', 'ENOENT', 'EACCES', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET']);

function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (unreachable.has(code)) return `The container engine could not be reached: ${messageOf(error)}`;
  const said = error instanceof Error && 'json' in error ? messageIn(error.json) : undefined;
  return `The container engine refused: ${said ?? messageOf(error)}`;
}

const messageIn = (json: unknown): string | undefined =>
  typeof json === 'object' && json !== null && 'message' in json ? String(json.message) : undefined;

/** The request itself is wrong: no such image, bad parameter, conflict. */
const isRefusal = (error: unknown): boolean => [400, 404, 409].some((status) => isStatus(error, status));

/** The image with the registry of the credentials in front, unless it names that registry itself. */
export function withRegistry(image: string, { credentials: login }: EngineInput): string {
  const name = image.replace(/^https?:\/\//, '');
  const registry = login?.registry?.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  // The address of Docker Hub is no part of the names of its images.
  if (!registry || registry.startsWith('index.docker.io') || registry === 'docker.io') return name;
  return name.startsWith(`${registry}/`) ? name : `${registry}/${name}`;
}

/** `repository:tag` in its two parts; the last colon may belong to the port of a registry. */
export function splitTag(image: string): { readonly repo: string; readonly tag: string } {
  const colon = image.lastIndexOf(':');
  const hasTag = colon > image.lastIndexOf('/');
  return hasTag
    ? { repo: image.slice(0, colon), tag: image.slice(colon + 1) }
    : { repo: image, tag: 'latest' };
}
