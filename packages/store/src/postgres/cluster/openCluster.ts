import type { Cluster } from '../../port/cluster.ts';
import { explainPassing } from '../connect.ts';
import { createAttempts } from './attempts.ts';
import type { ClusterContext } from './context.ts';
import { createMembers } from './members.ts';
import { createMessages } from './messages.ts';
import { createOwners } from './owners.ts';
import { createPlaces } from './places.ts';
import { createQueueLocks } from './queueLocks.ts';

/** The PostgreSQL half of `Cluster`, on connections of its own: a beat must not wait behind a batch. */
export function openCluster(context: ClusterContext): Cluster {
  return explained({
    ...createMembers(context),
    ...createOwners(context),
    ...createMessages(context),
    ...createAttempts(context),
    ...createPlaces(context),
    ...createQueueLocks(context),
  });
}

/** A connection that breaks is told as what it is: the callers try again then. */
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
  // `as`: the same names with the same answers.
  return Object.fromEntries(entries) as Cluster;
}
