import { dirname } from 'node:path';
import { endedServers, removeServerLock } from '@millrace/store';
import type { SharedFolders } from '../loops/sharedFolders.ts';
import type { RunAttempt } from '../loops/worker.ts';
import { JobWorker } from '../workers/jobWorker.ts';
import { Inbox } from './inbox.ts';
import type { Shared } from './joinCluster.ts';
import type { Role } from './role.ts';
import { Rounds } from './rounds.ts';
import type { StorageMarks } from './storageMarks.ts';
import { carryOn, type TakeOverParts } from './takeOver.ts';
import { Upkeep } from './upkeep.ts';
import { sweepWorkFolders } from './workFolders.ts';

const sweepEveryMs = 10_000;

export interface SharingOptions {
  readonly shared: Shared;
  readonly roles: ReadonlySet<Role>;
  readonly parts: Omit<TakeOverParts, 'cluster' | 'membership'>;
  readonly workerGroup: string | undefined;
  readonly slots: number;
  readonly runAttempt: RunAttempt;
  readonly folders: SharedFolders;
  readonly storageMarks: StorageMarks;
  /** Where servers that share the data folder lock their names. */
  readonly locks: string;
}

export interface StartedSharing {
  /** Executions that this server has taken over at its start. */
  readonly claimed: number;
  /** Takes nothing more from others. */
  stop(graceMs: number): Promise<void>;
  /** For a server that has left: nobody looks for its mark in the storage any more. */
  removeMark(): Promise<void>;
}

/** Gets going what a server does for and with the others, each by its roles. */
export async function startSharing(options: SharingOptions): Promise<StartedSharing> {
  const { shared, roles, workerGroup, slots, runAttempt, folders, storageMarks } = options;
  const { cluster, membership, remoteWork, url } = shared;
  const parts: TakeOverParts = { ...options.parts, cluster, membership };
  const isExecutor = roles.has('executor');
  const inbox = new Inbox({
    ...shared,
    store: parts.store,
    log: parts.log,
    executor: parts.executor,
    adopt: (executionIds) => carryOn(executionIds, parts),
  });
  const upkeep = new Upkeep(parts, inbox);
  const jobWorker = roles.has('worker')
    ? new JobWorker({ ...parts, url, group: workerGroup, slots, runAttempt, folders })
    : undefined;
  /** A server that runs its own tasks asks the queue only when somebody puts something there for it. */
  const openJobs = async () => {
    if (!jobWorker || jobWorker.isOpen || membership.hasLapsed) return;
    const isAsked = membership.alive.some(
      (server) =>
        server.id !== membership.id &&
        server.roles.includes('executor') &&
        !(server.roles.includes('worker') && server.workerGroup === workerGroup),
    );
    if (isExecutor && workerGroup === undefined && !isAsked) return;
    await remoteWork.prepare();
    await jobWorker.start();
  };
  let sweptAt = 0;
  const sweepWork = async () => {
    if (performance.now() - sweptAt < sweepEveryMs) return;
    sweptAt = performance.now();
    await sweepWorkFolders(dirname(parts.workFolder), new Set(membership.alive.map(({ id }) => id)));
  };
  // A server that restarts takes over from the process before it at once, instead of waiting until that counts as dead.
  const ended = endedServers(options.locks);
  if (ended.length > 0) {
    await cluster.bury(ended, 0, false);
    await membership.renew();
    for (const id of ended) removeServerLock(options.locks, id);
  }
  await sweepWork();
  if (isExecutor && !roles.has('worker')) await remoteWork.prepare();
  await storageMarks.leave();
  const claimed = isExecutor ? await upkeep.start() : 0;
  if (isExecutor) inbox.start();
  await openJobs();
  const rounds = new Rounds(membership.heartbeatMs, parts.log, async () => {
    // First: whatever else cannot be done must not keep it from letting go.
    await jobWorker?.keepLease();
    if (isExecutor) await upkeep.afterBeat();
    await openJobs();
    await jobWorker?.afterBeat();
    await storageMarks.look();
    await sweepWork();
  });
  rounds.start();
  return {
    claimed,
    removeMark: () => storageMarks.remove(),
    stop: async (graceMs) => {
      await rounds.stop();
      await inbox.stop();
      await jobWorker?.stop(graceMs);
    },
  };
}
