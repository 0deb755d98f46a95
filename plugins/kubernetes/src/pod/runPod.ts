import { setTimeout as delay } from 'node:timers/promises';
import type { TaskContext } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';
import { type ApiClient, ApiError, type Resource } from '../cluster/client.ts';
import { taskRunLabel, toLabel } from './manifest.ts';
import { downloadFolder, initContainer, outContainer, uploadFolder } from './podFiles.ts';
import { followLogs } from './podLogs.ts';
import {
  describeWait,
  hasEnded,
  type Pod,
  type PodPlace,
  podPath,
  readPod,
  refuseHopeless,
  waitForPod,
} from './podStatus.ts';

export interface PodJob {
  readonly namespace: string;
  readonly manifest: Resource;
  /** The folder in the pod that files are copied to and from. */
  readonly folder: string;
  /** The folder of the worker with the files for the pod. */
  readonly inputs?: string;
  /** The folder of the worker that the files of the pod are copied to. */
  readonly outputs?: string;
  readonly waitUntilRunningMs: number;
  readonly waitRunningMs: number;
  /** How long to wait for the rest of the log after the containers have ended. */
  readonly waitForLogMs: number;
  readonly resume: boolean;
  readonly delete: boolean;
  readonly graceMs: number;
  readonly takeLog: (container: string, chunk: Uint8Array) => void | Promise<void>;
}

/** The time limit for the node to report the end of a pod whose containers have ended. */
const longestEndMs = 30_000;

/** Runs a pod until all of its containers have ended. A killed task deletes the pod. */
export async function runPod(context: TaskContext, client: ApiClient, job: PodJob): Promise<Pod> {
  const { signal, run } = context;
  const left =
    job.resume && run.attempt > 0 ? await findLeft(client, job.namespace, run.taskRunId) : undefined;
  const created = left ?? readPod(await createPod(client, job));
  const place = { namespace: created.metadata.namespace, name: created.metadata.name };
  const remove = () => deletePod(client, place, job.graceMs);
  // The signal may be aborted while a response is read; deleting must not wait for that.
  const stop = () => void remove();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await context.log(
      'INFO',
      left ? `Waiting for the pod ${place.name} of the lost worker.` : `Created the pod ${place.name}.`,
    );
    const waiting = { signal, timeoutMs: job.waitUntilRunningMs, what: 'start' };
    if (job.inputs !== undefined && !left) await upload(client, place, job, waiting);
    const started = await waitForPod(client, place, hasStarted, waiting);
    const pod = await followContainers(client, place, job, started, signal);
    if (job.outputs !== undefined && !hasEnded(pod)) {
      await downloadFolder(client, place, { from: job.folder, to: job.outputs, signal });
    }
    const end = { signal, timeoutMs: longestEndMs, what: 'end' };
    return await waitForPod(client, place, hasEnded, end).catch((error: unknown) => {
      if (signal.aborted || error instanceof ApiError) throw error;
      return pod;
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    if (job.delete || signal.aborted) await remove();
  }
}

async function createPod(client: ApiClient, { namespace, manifest }: PodJob): Promise<Resource> {
  const path = `api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  return client.call({ method: 'POST', path, body: manifest });
}

/** A pod of an earlier attempt that still works, because only its worker was lost. */
async function findLeft(client: ApiClient, namespace: string, taskRunId: string): Promise<Pod | undefined> {
  const { items } = await client.call({
    path: `api/v1/namespaces/${encodeURIComponent(namespace)}/pods`,
    query: { labelSelector: `${taskRunLabel}=${toLabel(taskRunId)}` },
  });
  const pods = (Array.isArray(items) ? items : []).map((item: Resource) => readPod(item));
  return pods.find((pod) => !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined);
}

async function upload(
  client: ApiClient,
  place: PodPlace,
  job: PodJob,
  waiting: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly what: string },
): Promise<void> {
  await waitForPod(
    client,
    place,
    (pod) => {
      refuseHopeless(pod);
      if (hasEnded(pod))
        throw new TaskFailed(`The pod "${place.name}" ended before its files arrived${describeWait(pod)}.`);
      return pod.status.initContainerStatuses.some(
        ({ name, state }) => name === initContainer && state.running,
      );
    },
    waiting,
  );
  await uploadFolder(client, place, { from: job.inputs ?? '', to: job.folder, signal: waiting.signal });
}

function hasStarted(pod: Pod): boolean {
  refuseHopeless(pod);
  const states = mainStatuses(pod);
  return (
    hasEnded(pod) || (states.length > 0 && states.every(({ state }) => state.running || state.terminated))
  );
}

/** The statuses of the user's containers, without the container that transfers files. */
export const mainStatuses = ({ status }: Pod) =>
  status.containerStatuses.filter(({ name }) => name !== outContainer);

const areDone = (pod: Pod): boolean =>
  hasEnded(pod) || (mainStatuses(pod).length > 0 && mainStatuses(pod).every(({ state }) => state.terminated));

/** Logs the output of the containers until all of them have ended. */
async function followContainers(
  client: ApiClient,
  place: PodPlace,
  job: PodJob,
  started: Pod,
  signal: AbortSignal,
): Promise<Pod> {
  const names = started.spec.containers.map(({ name }) => name).filter((name) => name !== outContainer);
  let isDone = false;
  const end = new AbortController();
  const logSignal = AbortSignal.any([signal, end.signal]);
  const logs = names.map((container) =>
    followLogs(client, place, {
      container,
      signal: logSignal,
      hasEnded: () => isDone,
      take: (chunk) => job.takeLog(container, chunk),
    }).catch((error: unknown) => {
      // A log that cannot be read does not change how the work ended.
      if (!(error instanceof ApiError) && !logSignal.aborted) throw error;
    }),
  );
  const read = Promise.all(logs);
  read.catch(() => {});
  try {
    const pod = await waitForPod(client, place, areDone, {
      signal,
      timeoutMs: job.waitRunningMs,
      what: 'end',
    });
    isDone = true;
    await Promise.race([read, delay(job.waitForLogMs, undefined, { signal, ref: false })]);
    return pod;
  } finally {
    end.abort();
  }
}

/** Sent although the task was killed. A pod that is gone already is fine. */
async function deletePod(client: ApiClient, place: PodPlace, graceMs: number): Promise<void> {
  await client
    .call({
      method: 'DELETE',
      path: podPath(place),
      query: { gracePeriodSeconds: Math.ceil(graceMs / 1000) },
      signal: null,
    })
    .catch(() => {});
}
