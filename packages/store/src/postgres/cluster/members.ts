import type { Cluster, KnownServer, ServerRecord } from '../../port/cluster.ts';
import { type ClusterContext, databaseNow } from './context.ts';
import { inTransaction } from './inTransaction.ts';

interface ServerRow {
  readonly id: string;
  readonly silent: number;
  readonly gone_at: number | null;
  readonly data: string;
}

type Members = Pick<Cluster, 'beat' | 'bury' | 'forgetGone'>;

export function createMembers({ pool, notify }: ClusterContext): Members {
  return {
    beat: async (self) => {
      await pool.query(
        `INSERT INTO servers (id, seen_at, data) VALUES ($1, ${databaseNow}, $2)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, gone_at = NULL, data = excluded.data`,
        [self.id, JSON.stringify(self)],
      );
      const { rows } = await pool.query<ServerRow>(
        `SELECT id, ${databaseNow} - seen_at AS silent, gone_at, data FROM servers ORDER BY id`,
      );
      return rows.flatMap(read);
    },

    bury: async (ids, silentMs) => {
      const buried = await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: string; data: string }>(
          `UPDATE servers SET gone_at = ${databaseNow}
           WHERE id = ANY($1) AND gone_at IS NULL AND seen_at <= ${databaseNow} - $2 RETURNING id, data`,
          [ids, silentMs],
        );
        const gone = rows.map(({ id }) => id);
        if (gone.length === 0) return { gone, owners: [] };
        const told = await client.query<{ owner: string | null }>(
          `WITH lost AS (UPDATE worker_attempts SET lost = 1 WHERE worker_id = ANY($1) AND lost = 0
             RETURNING execution_id, task_run_id, attempt)
           INSERT INTO execution_messages (id, execution_id, owner, body)
           SELECT gen_random_uuid()::text, l.execution_id, e.owner, json_build_object('kind', 'fact', 'event',
             json_build_object('type', 'workerLost', 'taskRunId', l.task_run_id, 'attempt', l.attempt,
               'isDrained', $2::boolean))::text
           FROM lost l JOIN executions e ON e.id = l.execution_id RETURNING owner`,
          [gone, silentMs === 0],
        );
        const pools = rows.flatMap((row) => poolsOf(row.data));
        // The queue has its own schema, which is made when the first worker or executor needs it.
        const queue = await client.query("SELECT to_regclass('graphile_worker._private_jobs') AS jobs");
        if (pools.length > 0 && queue.rows[0]?.jobs !== null)
          await client.query('SELECT graphile_worker.force_unlock_workers($1)', [pools]);
        return { gone, owners: told.rows.flatMap(({ owner }) => owner ?? []) };
      });
      if (buried.owners.length > 0) notify({ messageOwners: [...new Set(buried.owners)] });
      return buried.gone;
    },

    forgetGone: async () => {
      await pool.query(
        `DELETE FROM servers s WHERE s.gone_at < ${databaseNow} - 60000
           AND NOT EXISTS (SELECT 1 FROM executions e WHERE e.owner = s.id AND e.over_at IS NULL)`,
      );
      // What was begun for executions that are gone altogether.
      await pool.query(
        `DELETE FROM worker_attempts a WHERE NOT EXISTS (SELECT 1 FROM executions e WHERE e.id = a.execution_id)
           AND NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = a.worker_id AND s.gone_at IS NULL)`,
      );
    },
  };
}

/** A row that another release, or nobody, has written is passed over. */
function read({ id, silent, gone_at, data }: ServerRow): KnownServer[] {
  try {
    // `as`: written by `beat`, in some process of ours; what matters is checked.
    const record = JSON.parse(data) as ServerRecord;
    if (!Array.isArray(record.roles)) return [];
    return [{ ...record, id, silentMs: Number(silent), isGone: gone_at !== null }];
  } catch {
    return [];
  }
}

function poolsOf(data: string): readonly string[] {
  try {
    return (JSON.parse(data) as ServerRecord).poolIds.map(String);
  } catch {
    return [];
  }
}
