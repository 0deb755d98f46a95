import { setTimeout as delay } from 'node:timers/promises';
import { TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { ApiClient, Resource } from '../cluster/client.ts';

const ended = z.object({
  exitCode: z.number(),
  reason: z.string().optional(),
  message: z.string().optional(),
});
const ContainerStatus = z.object({
  name: z.string(),
  state: z
    .object({
      waiting: z.object({ reason: z.string().optional(), message: z.string().optional() }).optional(),
      running: z.looseObject({}).optional(),
      terminated: ended.optional(),
    })
    .default({}),
});
const Pod = z.object({
  metadata: z.looseObject({ name: z.string(), namespace: z.string().default('default') }),
  spec: z
    .object({ containers: z.array(z.object({ name: z.string() })).default([]) })
    .default({ containers: [] }),
  status: z
    .looseObject({
      phase: z.string().default('Pending'),
      reason: z.string().optional(),
      message: z.string().optional(),
      containerStatuses: z.array(ContainerStatus).default([]),
      initContainerStatuses: z.array(ContainerStatus).default([]),
    })
    .prefault({}),
});
export type Pod = z.infer<typeof Pod>;
export type ContainerStatus = z.infer<typeof ContainerStatus>;

export const readPod = (resource: Resource): Pod => Pod.parse(resource);

export const hasEnded = ({ status }: Pod): boolean =>
  status.phase === 'Succeeded' || status.phase === 'Failed';

/** Where a pod is. */
export interface PodPlace {
  readonly namespace: string;
  readonly name: string;
}

export const podPath = ({ namespace, name }: PodPlace): string =>
  `api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;

interface Waiting {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The awaited event, for the message: "start", "end". */
  readonly what: string;
}

const firstPauseMs = 100;
const longestPauseMs = 1_000;

/** Polls the pod until it is as wanted. */
export async function waitForPod(
  client: ApiClient,
  place: PodPlace,
  isWanted: (pod: Pod) => boolean,
  { signal, timeoutMs, what }: Waiting,
): Promise<Pod> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const pod = readPod(await client.call({ path: podPath(place), signal }));
    if (isWanted(pod)) return pod;
    if (Date.now() > deadline) {
      throw new TaskFailed(
        `The pod "${place.name}" did not ${what} within ${Math.round(timeoutMs / 1000)} s${describeWait(pod)}.`,
      );
    }
    await delay(pauseMs, undefined, { signal });
  }
}

/** Why a pod does not run: the reasons of its containers, or its own. */
export function describeWait({ status }: Pod): string {
  const reasons = [...status.initContainerStatuses, ...status.containerStatuses].flatMap(({ name, state }) =>
    state.waiting?.reason
      ? [`${name}: ${[state.waiting.reason, state.waiting.message].filter(Boolean).join(', ')}`]
      : [],
  );
  const own = [status.reason, status.message].filter(Boolean).join(': ');
  const all = own === '' ? reasons : [own, ...reasons];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

/** Reasons for which waiting is in vain: the specification itself is wrong. */
const hopeless = new Set([
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
]);

/** Fails when the pod can never start. */
export function refuseHopeless(pod: Pod): void {
  const statuses = [...pod.status.initContainerStatuses, ...pod.status.containerStatuses];
  if (statuses.some(({ state }) => hopeless.has(state.waiting?.reason ?? ''))) {
    throw new TaskFailed(`The pod "${pod.metadata.name}" cannot start${describeWait(pod)}.`, {
      retry: false,
    });
  }
  const initFailure = pod.status.initContainerStatuses.find(
    ({ state }) => (state.terminated?.exitCode ?? 0) !== 0,
  );
  if (initFailure && hasEnded(pod)) {
    throw new TaskFailed(
      `The init container "${initFailure.name}" of the pod ended with exit code ${initFailure.state.terminated?.exitCode}.`,
    );
  }
}
