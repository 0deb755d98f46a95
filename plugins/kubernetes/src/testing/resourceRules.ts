import type { Json } from './json.ts';

interface KindInfo {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
}

const kind = (
  name: string,
  kindName: string,
  shortNames: readonly string[] = [],
  namespaced = true,
): KindInfo => ({
  name,
  singularName: kindName.toLowerCase(),
  kind: kindName,
  namespaced,
  shortNames,
});

const groups: Readonly<Record<string, readonly KindInfo[]>> = {
  'api/v1': [
    kind('pods', 'Pod', ['po']),
    { ...kind('pods/log', 'Pod'), singularName: '' },
    kind('configmaps', 'ConfigMap', ['cm']),
    kind('services', 'Service', ['svc']),
    kind('namespaces', 'Namespace', ['ns'], false),
  ],
  'apis/apps/v1': [
    kind('deployments', 'Deployment', ['deploy']),
    kind('statefulsets', 'StatefulSet', ['sts']),
  ],
  'apis/batch/v1': [kind('jobs', 'Job')],
};

interface Discovered {
  readonly resources?: readonly KindInfo[];
}

/** The discovery response of an API server: its groups and resources. */
export function discovery(path: string): Discovered | undefined {
  if (path === '/apis') {
    const versions = Object.keys(groups).filter((root) => root.startsWith('apis/'));
    return {
      kind: 'APIGroupList',
      groups: versions.map((root) => {
        const [, name, version] = root.split('/');
        return { name, preferredVersion: { groupVersion: `${name}/${version}`, version } };
      }),
    } as Discovered;
  }
  const resources = groups[path.slice(1)];
  return resources && ({ kind: 'APIResourceList', groupVersion: path.slice(1), resources } as Discovered);
}

const dnsName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** Why the API server would reject a resource. */
export function problemsOf(expected: string, namespace: string | undefined, body: Json): string | undefined {
  const metadata = (body.metadata ?? {}) as Json;
  const name = String(metadata.name ?? '');
  if (body.kind !== expected) return `kind ${String(body.kind)} does not match ${expected}`;
  if (!dnsName.test(name) || name.length > 253) return `metadata.name: Invalid value: "${name}"`;
  if (metadata.namespace !== undefined && metadata.namespace !== namespace)
    return 'the namespace of the object does not match the namespace of the request';
  for (const [key, value] of Object.entries((metadata.labels ?? {}) as Json)) {
    if (!labelValue.test(String(value)) || String(value).length > 63)
      return `metadata.labels: Invalid value: "${String(value)}" of ${key}`;
  }
  if (expected !== 'Pod') return undefined;
  if (name.length > 63) return 'spec.hostname: must be no more than 63 characters';
  return podProblem((body.spec ?? {}) as Json);
}

function podProblem(spec: Json): string | undefined {
  const containers = [...((spec.initContainers ?? []) as Json[]), ...((spec.containers ?? []) as Json[])];
  const volumes = new Set(((spec.volumes ?? []) as Json[]).map(({ name }) => name));
  if (!Array.isArray(spec.containers) || spec.containers.length === 0)
    return 'spec.containers: Required value';
  if (new Set(containers.map(({ name }) => name)).size < containers.length)
    return 'spec.containers: Duplicate value';
  for (const each of containers) {
    if (typeof each.name !== 'string' || !dnsName.test(each.name))
      return 'spec.containers[0].name: Required value';
    if (typeof each.image !== 'string') return 'spec.containers[0].image: Required value';
    for (const { name } of (each.volumeMounts ?? []) as Json[])
      if (!volumes.has(name)) return `spec.containers[0].volumeMounts[0].name: Not found: "${String(name)}"`;
    for (const { value } of (each.env ?? []) as Json[])
      if (value !== undefined && typeof value !== 'string')
        return 'spec.containers[0].env[0].value: must be a string';
  }
  return undefined;
}

/** Maps at every depth; null removes a field. */
export function merge(base: Json, change: Json): Json {
  const merged: Json = { ...base };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete merged[name];
    else if (isMap(value))
      merged[name] = merge(isMap(merged[name]) ? (merged[name] as Json) : {}, value as Json);
    else merged[name] = value;
  }
  return merged;
}

const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The patched resource; undefined for a format that the API server does not support. */
export function applyPatch(contentType: string, resource: Json, body: unknown): Json | undefined {
  if (
    contentType === 'application/strategic-merge-patch+json' ||
    contentType === 'application/merge-patch+json'
  )
    return merge(resource, body as Json);
  if (contentType !== 'application/json-patch+json') return undefined;
  const changed = structuredClone(resource);
  for (const { op, path, value } of body as { op: string; path: string; value?: unknown }[]) {
    const keys = path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    const target = keys.reduce<Json>((at, key) => at[key] as Json, changed);
    if (op === 'remove') delete target[last];
    else target[last] = value;
  }
  return changed;
}
