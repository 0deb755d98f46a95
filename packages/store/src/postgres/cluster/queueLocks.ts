import type { Cluster } from '../../port/cluster.ts';
import type { ClusterContext } from './context.ts';
import { hasQueue } from './losses.ts';

type QueueLocks = Pick<Cluster, 'freeJobs'>;

/** The queue lets go of a lock after four hours; nobody wants to wait for that. */
export function createQueueLocks({ pool }: ClusterContext): QueueLocks {
  return {
    freeJobs: async ({ poolIds, knownJobIds }, olderThanMs) => {
      if (!(await hasQueue(pool))) return 0;
      const { rowCount } = await pool.query(
        `UPDATE graphile_worker._private_jobs j SET locked_by = NULL, locked_at = NULL,
           attempts = greatest(0, j.attempts - 1)
         WHERE j.locked_at < now() - make_interval(secs => $3::float / 1000)
           AND CASE WHEN j.locked_by = ANY($1) THEN j.id <> ALL($2::bigint[])
             ELSE NOT EXISTS (SELECT 1 FROM servers s WHERE s.gone_at IS NULL AND strpos(s.data, to_json(j.locked_by)::text) > 0)
           END`,
        [poolIds, knownJobIds, olderThanMs],
      );
      return rowCount ?? 0;
    },
  };
}
