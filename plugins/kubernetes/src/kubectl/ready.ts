import { setTimeout as delay } from 'node:timers/promises';
import type { TaskContext } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';
import type { ApiClient, Resource } from '../cluster/client.ts';
import { listIn, mapIn } from '../pod/manifest.ts';

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The reason a resource is not ready yet; undefined when it is. A resource without a status is ready. */
export function missingOf(resource: Resource): string | undefined {
  const { kind } = resource;
  const [spec, status, metadata] = [mapIn(resource.spec), mapIn(resource.status), mapIn(resource.metadata)];
  const conditions = listIn(status.conditions).map(mapIn);
  const isTrue = (type: string) => conditions.some((each) => each.type === type && each.status === 'True');
  const failure = conditions.find(
    (each) => (each.type === 'Failed' || each.type === 'ReplicaFailure') && each.status === 'True',
  );
  if (failure)
    throw new TaskFailed(`${nameOf(resource)} failed: ${String(failure.message ?? failure.reason)}`);
  if (
    numberIn(status.observedGeneration) < numberIn(metadata.generation) &&
    status.observedGeneration !== undefined
  )
    return 'the change was not taken up yet';
  if (kind === 'Deployment' || kind === 'StatefulSet' || kind === 'ReplicaSet') {
    const wanted = spec.replicas === undefined ? 1 : numberIn(spec.replicas);
    const ready = numberIn(status.readyReplicas);
    const updated = status.updatedReplicas === undefined ? ready : numberIn(status.updatedReplicas);
    return ready >= wanted && updated >= wanted ? undefined : `${ready} of ${wanted} replicas are ready`;
  }
  if (kind === 'DaemonSet') {
    const [wanted, ready] = [numberIn(status.desiredNumberScheduled), numberIn(status.numberReady)];
    return ready >= wanted && status.desiredNumberScheduled !== undefined
      ? undefined
      : `${ready} of ${wanted} pods are ready`;
  }
  if (kind === 'Job') return isTrue('Complete') ? undefined : 'the job has not completed';
  if (kind === 'Pod')
    return isTrue('Ready') || status.phase === 'Succeeded'
      ? undefined
      : `its phase is ${String(status.phase ?? 'Pending')}`;
  const ownCondition = conditions.find((each) => each.type === 'Ready' || each.type === 'Available');
  return !ownCondition || ownCondition.status === 'True'
    ? undefined
    : String(ownCondition.message ?? 'it is not ready');
}

const nameOf = ({ kind, metadata }: Resource): string => `${String(kind)} "${String(mapIn(metadata).name)}"`;

const pauseMs = 1_000;

/** Polls a resource until it is ready and returns it as it is then. */
export async function waitUntilReady(
  { signal }: Pick<TaskContext, 'signal'>,
  client: ApiClient,
  path: string,
  timeoutMs: number,
): Promise<Resource> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const resource = await client.call({ path });
    const missing = missingOf(resource);
    if (missing === undefined) return resource;
    if (Date.now() > deadline)
      throw new TaskFailed(`${nameOf(resource)} was not ready within ${timeoutMs / 1000} s: ${missing}.`);
    await delay(Math.min(pauseMs, Math.max(deadline - Date.now(), 1)), undefined, { signal });
  }
}
