import type { Cluster } from '../../port/cluster.ts';
import { explainPassing } from '../connect.ts';
import { createAttempts } from './attempts.ts';
import { createSlots } from './concurrencySlots.ts';
import type { ClusterContext } from './context.ts';
import { createMembers } from './members.ts';
import { createMessages } from './messages.ts';
import { createOwners } from './owners.ts';
import { createPendingWork } from './pendingWork.ts';
import { createQueueLocks } from './queueLocks.ts';

/**
 * The PostgreSQL implementation of `Cluster`, on dedicated connections: a heartbeat must not wait behind a
 * batch.
 */
export function openCluster(context: ClusterContext): Cluster {
  return explained({
    ...createMembers(context),
    ...createOwners(context),
    ...createMessages(context),
    ...createAttempts(context),
    ...createSlots(context),
    ...createQueueLocks(context),
    ...createPendingWork(context),
  });
}

/** Reports a broken connection as unavailable, so that callers retry. */
function explained(cluster: Cluster): Cluster {
  const entries = Object.entries(cluster).map(([name, ask]) => [
    name,
    (...args: unknown[]) => {
      const answer: unknown = Reflect.apply(ask, cluster, args);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => {
        throw explainPassing(error);
      });
    },
  ]);
  // `as`: the same names with the same return types.
  return Object.fromEntries(entries) as Cluster;
}
