import { TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type ApiClient, ApiError } from './client.ts';

/** A kind of resource as the API server serves it. */
export interface ResourceKind {
  readonly kind: string;
  /** The last part of its path, such as `deployments`. */
  readonly name: string;
  readonly isNamespaced: boolean;
  /** The first part of its path: `api/v1`, `apis/apps/v1`. */
  readonly root: string;
}

const ResourceList = z.object({
  resources: z.array(
    z.object({
      name: z.string(),
      singularName: z.string().default(''),
      kind: z.string(),
      namespaced: z.boolean(),
      shortNames: z.array(z.string()).default([]),
    }),
  ),
});
const GroupList = z.object({
  groups: z.array(z.object({ name: z.string(), preferredVersion: z.object({ groupVersion: z.string() }) })),
});

interface Asked {
  readonly resourceType: string;
  readonly apiGroup?: string | undefined;
  readonly apiVersion?: string | undefined;
}

/**
 * Finds a kind by its plural, singular, short name or kind, as kubectl does. Without a group the core resources are
 * searched first, and then all groups.
 */
export async function findKind(client: ApiClient, asked: Asked): Promise<ResourceKind> {
  const { resourceType, apiGroup, apiVersion } = asked;
  const name = resourceType.trim().toLowerCase();
  for await (const root of rootsOf(client, apiGroup, apiVersion)) {
    const found = (await kindsAt(client, root)).find((each) => each.names.has(name));
    if (found) return found;
  }
  const where = apiGroup || apiVersion ? ` in ${[apiGroup, apiVersion].filter(Boolean).join('/')}` : '';
  throw new TaskFailed(`The cluster has no resource type "${resourceType}"${where}.`, { retry: false });
}

/** The kind of a manifest, by its `apiVersion` and `kind`. */
export async function kindOf(client: ApiClient, apiVersion: string, kind: string): Promise<ResourceKind> {
  const root = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
  const found = (await kindsAt(client, root)).find((each) => each.kind === kind);
  if (found) return found;
  throw new TaskFailed(`The cluster has no kind "${kind}" in ${apiVersion}.`, { retry: false });
}

/** The path of a resource, or of all of its kind in a namespace. */
export function pathOf(kind: ResourceKind, namespace: string, name?: string): string {
  const scope = kind.isNamespaced ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const last = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${kind.root}${scope}/${kind.name}${last}`;
}

async function* rootsOf(
  client: ApiClient,
  group: string | undefined,
  version: string | undefined,
): AsyncGenerator<string> {
  // `apps/v1` names both.
  if (version?.includes('/')) return yield `apis/${version}`;
  if (group) {
    const preferred = (await groupsOf(client)).find(({ name }) => name === group)?.preferredVersion
      .groupVersion;
    return yield `apis/${version === undefined ? (preferred ?? `${group}/v1`) : `${group}/${version}`}`;
  }
  yield `api/${version ?? 'v1'}`;
  if (version === undefined)
    for (const { preferredVersion } of await groupsOf(client)) yield `apis/${preferredVersion.groupVersion}`;
}

const groupsOf = async (client: ApiClient) => GroupList.parse(await client.call({ path: 'apis' })).groups;

type NamedKind = ResourceKind & { readonly names: ReadonlySet<string> };

async function kindsAt(client: ApiClient, root: string): Promise<readonly NamedKind[]> {
  try {
    const { resources } = ResourceList.parse(await client.call({ path: root }));
    return resources
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, singularName, kind, namespaced, shortNames }) => ({
        kind,
        name,
        isNamespaced: namespaced,
        root,
        names: new Set([name, singularName, kind.toLowerCase(), ...shortNames].filter((each) => each !== '')),
      }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}
