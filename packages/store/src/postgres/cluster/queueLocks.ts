import type { Cluster } from '../../port/cluster.ts';
import type { ClusterContext } from './context.ts';
import { hasQueue } from './losses.ts';

type QueueLocks = Pick<Cluster, 'freeJobs'>;

/** Unlocks stale jobs, because the queue itself releases a lock only after four hours. */
export function createQueueLocks({ pool }: ClusterContext): QueueLocks {
  return {
    freeJobs: async ({ poolIds, knownJobIds }, olderThanMs) => {
      if (!(await hasQueue(pool))) return 0;
      // Few jobs are locked this long. The known jobs can be tens of thousands, so they are compared in
      // memory.
      const { rows } = await pool.query<{ id: string; mine: boolean }>(
        `SELECT j.id::text, j.locked_by = ANY($1) AS mine FROM graphile_worker._private_jobs j
         WHERE j.locked_at < now() - make_interval(secs => $2::float / 1000)
           AND (j.locked_by = ANY($1) OR NOT EXISTS (SELECT 1 FROM servers s
             WHERE s.gone_at IS NULL AND strpos(s.data, to_json(j.locked_by)::text) > 0))`,
        [poolIds, olderThanMs],
      );
      const known = new Set(knownJobIds);
      const lost = rows.filter(({ id, mine }) => !(mine && known.has(id))).map(({ id }) => id);
      if (lost.length === 0) return 0;
      const { rowCount } = await pool.query(
        `UPDATE graphile_worker._private_jobs j SET locked_by = NULL, locked_at = NULL,
           attempts = greatest(0, j.attempts - 1)
         WHERE j.id = ANY($1::bigint[]) AND j.locked_at < now() - make_interval(secs => $2::float / 1000)`,
        [lost, olderThanMs],
      );
      return rowCount ?? 0;
    },
  };
}
