import { dirname } from 'node:path';
import { endedServers, removeServerLock } from '@millrace/store';
import { JobWorker } from '../worker/remote/jobWorker.ts';
import type { SharedFolders } from '../worker/sharedFolders.ts';
import type { RunAttempt, Worker } from '../worker/worker.ts';
import { Inbox } from './inbox.ts';
import type { Shared } from './joinCluster.ts';
import { Periodic } from './periodic.ts';
import { OrphanReclaimer } from './reclaimOrphans.ts';
import type { Role } from './role.ts';
import type { SharedStorageCheck } from './sharedStorageCheck.ts';
import { resumeExecutions, type TakeOverParts } from './takeOver.ts';
import { sweepWorkFolders } from './workFolders.ts';

const sweepEveryMs = 10_000;

export interface ClusterOptions {
  readonly shared: Shared;
  readonly roles: ReadonlySet<Role>;
  readonly parts: Omit<TakeOverParts, 'cluster' | 'membership'>;
  readonly workerGroup: string | undefined;
  readonly slots: number;
  readonly runAttempt: RunAttempt;
  readonly folders: SharedFolders;
  readonly sharedStorageCheck: SharedStorageCheck;
  /** Where servers that share the data folder lock their names. */
  readonly locks: string;
  /** Whether the worker of this server takes no new tasks. */
  readonly isDrained: () => boolean;
  /** Whether no task starts on any server, because of maintenance. */
  readonly areTasksHeld: () => boolean;
}

export interface StartedCluster {
  /** Executions that this server claimed at its start. */
  readonly claimed: number;
  /** Runs the tasks of other servers; absent without the worker role. */
  readonly worker?: Worker;
  /** Applies a change of `isDrained` and `areTasksHeld` at once; the next heartbeat does it anyway. */
  applyControls(): Promise<void>;
  /** Accepts no more work of other servers. */
  stop(graceMs: number): Promise<void>;
  /** Removes this server's file from the storage, after it has left. */
  removeMark(): Promise<void>;
}

/** Starts the work that servers do for each other, by their roles. */
export async function startCluster(options: ClusterOptions): Promise<StartedCluster> {
  const { shared, roles, workerGroup, slots, runAttempt, folders, sharedStorageCheck } = options;
  const { cluster, membership, remoteWork, url } = shared;
  const parts: TakeOverParts = { ...options.parts, cluster, membership };
  const isExecutor = roles.has('executor');
  const inbox = new Inbox({
    ...shared,
    store: parts.store,
    log: parts.log,
    executor: parts.executor,
    adopt: (executionIds) => resumeExecutions(executionIds, parts),
  });
  const orphans = new OrphanReclaimer(parts, inbox);
  const jobWorker = roles.has('worker')
    ? new JobWorker({ ...parts, url, group: workerGroup, slots, runAttempt, folders })
    : undefined;
  /** A server that runs its own tasks opens the queue only when another server can add jobs for it. */
  const openJobs = async () => {
    if (!jobWorker || jobWorker.isOpen || membership.hasLapsed || options.areTasksHeld()) return;
    const isAsked = membership.active.some(
      (server) =>
        server.id !== membership.id &&
        server.roles.includes('executor') &&
        !(
          server.roles.includes('worker') &&
          server.workerGroup === workerGroup &&
          server.status?.isDraining !== true
        ),
    );
    if (isExecutor && workerGroup === undefined && !isAsked) return;
    await remoteWork.prepare();
    await jobWorker.start();
  };
  const applyControls = async () => {
    if (options.areTasksHeld()) jobWorker?.pause();
    await jobWorker?.drain(options.isDrained());
  };
  let sweptAt = 0;
  const sweepWork = async () => {
    if (performance.now() - sweptAt < sweepEveryMs) return;
    sweptAt = performance.now();
    await sweepWorkFolders(dirname(parts.workFolder), new Set(membership.active.map(({ id }) => id)));
  };
  // A restarted server claims the executions of its earlier process at once, without waiting for missed heartbeats.
  const ended = endedServers(options.locks);
  if (ended.length > 0) {
    await cluster.expire(ended, 0, false);
    await membership.renew();
    for (const id of ended) removeServerLock(options.locks, id);
  }
  await sweepWork();
  if (isExecutor && !roles.has('worker')) await remoteWork.prepare();
  await sharedStorageCheck.leave();
  const claimed = isExecutor ? await orphans.start() : 0;
  if (isExecutor) inbox.start();
  await applyControls();
  await openJobs();
  const rounds = new Periodic(membership.heartbeatMs, parts.log, async () => {
    // First, so that a failure of the rest cannot prevent a lapsed worker from giving its jobs back.
    await jobWorker?.keepLease();
    if (isExecutor) await orphans.afterBeat();
    await applyControls();
    await openJobs();
    await jobWorker?.afterBeat();
    await sharedStorageCheck.check();
    await sweepWork();
  });
  rounds.start();
  return {
    claimed,
    ...(jobWorker ? { worker: jobWorker.worker } : {}),
    applyControls,
    removeMark: () => sharedStorageCheck.remove(),
    stop: async (graceMs) => {
      await rounds.stop();
      await inbox.stop();
      await jobWorker?.stop(graceMs);
    },
  };
}
