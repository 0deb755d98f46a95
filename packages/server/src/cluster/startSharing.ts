import type { RunAttempt } from '../loops/worker.ts';
import { JobWorker } from '../workers/jobWorker.ts';
import { Inbox } from './inbox.ts';
import type { Shared } from './joinCluster.ts';
import type { Role } from './role.ts';
import { Rounds } from './rounds.ts';
import { carryOn, type TakeOverParts } from './takeOver.ts';
import { Upkeep } from './upkeep.ts';

export interface SharingOptions {
  readonly shared: Shared;
  readonly roles: ReadonlySet<Role>;
  readonly parts: Omit<TakeOverParts, 'cluster' | 'membership'>;
  readonly workerGroup: string | undefined;
  readonly slots: number;
  readonly runAttempt: RunAttempt;
}

export interface StartedSharing {
  /** Executions that this server has taken over at its start. */
  readonly claimed: number;
  /** Takes nothing more from others. */
  stop(graceMs: number): Promise<void>;
}

/** Gets going what a server does for and with the others, each by its roles. */
export async function startSharing(options: SharingOptions): Promise<StartedSharing> {
  const { shared, roles, workerGroup, slots, runAttempt } = options;
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
    ? new JobWorker({ ...parts, url, group: workerGroup, slots, runAttempt })
    : undefined;
  /** A server that runs its own tasks asks the queue only when somebody puts something there for it. */
  const openJobs = async () => {
    if (!jobWorker || jobWorker.isOpen) return;
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
  if (isExecutor && !roles.has('worker')) await remoteWork.prepare();
  const claimed = isExecutor ? await upkeep.start() : 0;
  if (isExecutor) inbox.start();
  await openJobs();
  const rounds = new Rounds(membership.heartbeatMs, parts.log, async () => {
    if (isExecutor) await upkeep.afterBeat();
    await openJobs();
    await jobWorker?.afterBeat();
  });
  rounds.start();
  return {
    claimed,
    stop: async (graceMs) => {
      await rounds.stop();
      await inbox.stop();
      await jobWorker?.stop(graceMs);
    },
  };
}
