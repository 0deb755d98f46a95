import type { Cluster } from '../../port/cluster.ts';
import { createAttempts } from './attempts.ts';
import type { ClusterContext } from './context.ts';
import { createMembers } from './members.ts';
import { createMessages } from './messages.ts';
import { createOwners } from './owners.ts';
import { createPlaces } from './places.ts';

/** The PostgreSQL half of `Cluster`, on connections of its own: a beat must not wait behind a batch. */
export function openCluster(context: ClusterContext): Cluster {
  return {
    ...createMembers(context),
    ...createOwners(context),
    ...createMessages(context),
    ...createAttempts(context),
    ...createPlaces(context),
  };
}
