import type { Cluster, PendingWork } from '../../port/cluster.ts';
import { decodeText } from '../../rows/text.ts';
import type { ClusterContext } from './context.ts';
import { hasQueue } from './losses.ts';

interface CountRow {
  readonly name: string;
  readonly waiting: number;
  readonly oldest: number | null;
}

export function createPendingWork({ pool }: ClusterContext): Pick<Cluster, 'pendingWork'> {
  return {
    pendingWork: async (limit) => {
      const messages = await pool.query<CountRow>(
        `SELECT count(*) AS waiting, min(at) AS oldest FROM
           (SELECT at FROM execution_messages WHERE refusal IS NULL ORDER BY seq LIMIT $1) m`,
        [limit],
      );
      return {
        queues: (await hasQueue(pool)) ? await queues() : [],
        messages: counted(messages.rows[0]),
      };

      async function queues(): Promise<PendingWork['queues']> {
        const { rows } = await pool.query<CountRow>(
          `SELECT t.identifier AS name, count(*) AS waiting,
             (extract(epoch FROM min(j.run_at)) * 1000)::bigint AS oldest
           FROM (SELECT task_id, run_at FROM graphile_worker._private_jobs
             WHERE locked_at IS NULL AND run_at <= now() ORDER BY id LIMIT $1) j
           JOIN graphile_worker._private_tasks t ON t.id = j.task_id GROUP BY t.identifier ORDER BY t.identifier`,
          [limit],
        );
        return rows.map((row) => ({ name: decodeText(row.name), ...counted(row) }));
      }
    },
  };
}

const counted = (row: CountRow | undefined): PendingWork['messages'] => ({
  waiting: Number(row?.waiting ?? 0),
  ...(row?.oldest == null ? {} : { oldestAt: Number(row.oldest) }),
});
