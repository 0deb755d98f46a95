import type { RunInfo } from '@millrace/plugin-kit';
import type { Resource } from '../cluster/client.ts';

export const mapIn = (value: unknown): Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Resource) : {}; // a JSON object

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Merges maps at every depth; all other values of `over` replace those of `base`. */
export function mergeDeep(base: Resource, over: Resource): Resource {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    const areMaps = isMap(before) && isMap(value);
    merged[name] = areMaps ? mergeDeep(mapIn(before), mapIn(value)) : value;
  }
  return merged;
}

const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every container of the pod with the fields that it leaves out. */
export function withContainerDefaults(spec: Resource, defaults: Resource | undefined): Resource {
  if (!defaults) return spec;
  const fill = (list: unknown) => listIn(list).map((container) => mergeDeep(defaults, mapIn(container)));
  return {
    ...spec,
    containers: fill(spec.containers),
    ...(spec.initContainers !== undefined && { initContainers: fill(spec.initContainers) }),
  };
}

export const taskRunLabel = 'kestra.io/taskrun-id';

/** Labels to find a pod again, for users as well: the labels that existing flows and cluster policies use. */
export const labelsOf = (run: RunInfo): Record<string, string> => ({
  'kestra.io/namespace': toLabel(run.namespace),
  'kestra.io/flow-id': toLabel(run.flowId),
  'kestra.io/task-id': toLabel(run.taskId),
  'kestra.io/execution-id': toLabel(run.executionId),
  [taskRunLabel]: toLabel(run.taskRunId),
  'kestra.io/taskrun-attempt': String(run.attempt),
});

/** Labels have at most 63 characters and start and end with a letter or digit. */
export const toLabel = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9_.-]/g, '-')
    .slice(0, 63)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');

/** A name for a pod of this attempt, unique in its namespace. */
export function podNameOf(run: RunInfo): string {
  const unique = `${run.taskRunId}-${run.attempt}`.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  const readable = `${run.flowId}-${run.taskId}`.toLowerCase().replace(/[^a-z0-9-]+/g, '-');
  const room = 62 - unique.length;
  return `${readable.slice(0, Math.max(room, 0))}-${unique}`.replace(/^-+/, '').slice(-63).replace(/^-+/, '');
}
