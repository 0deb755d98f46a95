import type { Cluster, KnownServer, ServerRecord } from '../../port/cluster.ts';
import { fenceColumn, fencedBy } from '../fence.ts';
import { type ClusterContext, databaseNow } from './context.ts';
import { inTransaction } from './inTransaction.ts';
import { dropQueuesOfGone, hasQueue, tellLosses } from './losses.ts';

interface ServerRow {
  readonly id: string;
  readonly silent: number;
  readonly gone_at: number | null;
  readonly data: string;
}

type Members = Pick<Cluster, 'beat' | 'expire' | 'deleteExpired'>;

export function createMembers({ pool, beats, notify, onFenced }: ClusterContext): Members {
  return {
    beat: async (self) => {
      // One statement, because an idle server runs this most often. The SELECT does not see the inserted row
      // yet.
      const asked = beats.query<ServerRow>({
        name: 'millrace_beat',
        text: `WITH self AS (
           INSERT INTO servers (id, seen_at, data) VALUES ($1, ${databaseNow}, $2)
           ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, gone_at = NULL, data = excluded.data
           RETURNING id, seen_at, gone_at, data)
         SELECT id, ${databaseNow} - seen_at AS silent, gone_at, data, ${fenceColumn}
         FROM (SELECT id, seen_at, gone_at, data FROM servers WHERE id <> $1 UNION ALL SELECT * FROM self) known
         ORDER BY id`,
        values: [self.id, JSON.stringify(self)],
      });
      const { rows } = await asked.catch((error: unknown) => {
        const fenced = fencedBy(error);
        if (fenced) onFenced(fenced);
        throw fenced ?? error;
      });
      return rows.flatMap(read);
    },

    expire: async (ids, silentMs, isDrained = silentMs === 0) => {
      const expired = await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: string; data: string }>(
          `UPDATE servers SET gone_at = ${databaseNow}
           WHERE id = ANY($1) AND gone_at IS NULL AND seen_at <= ${databaseNow} - $2 RETURNING id, data`,
          [ids, silentMs],
        );
        const gone = rows.map(({ id }) => id);
        if (gone.length === 0) return { gone, owners: [] };
        const owners = await tellLosses(client, gone, isDrained);
        const pools = rows.flatMap((row) => poolsOf(row.data));
        if (pools.length > 0 && (await hasQueue(client)))
          await client.query('SELECT graphile_worker.force_unlock_workers($1)', [pools]);
        return { gone, owners };
      });
      if (expired.owners.length > 0) notify({ messageOwners: expired.owners });
      return expired.gone;
    },

    deleteExpired: async () => {
      const { rows } = await pool.query<{ id: string }>(
        `SELECT DISTINCT w.worker_id AS id FROM (SELECT worker_id FROM worker_attempts WHERE lost = 0
           UNION SELECT worker_id FROM worker_folders) w
         WHERE NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = w.worker_id AND s.gone_at IS NULL)`,
      );
      if (rows.length > 0) {
        const gone = rows.map(({ id }) => id);
        const owners = await inTransaction(pool, (client) => tellLosses(client, gone, false));
        if (owners.length > 0) notify({ messageOwners: owners });
      }
      await dropQueuesOfGone(pool);
      await pool.query(
        `DELETE FROM servers s WHERE s.gone_at < ${databaseNow} - 60000
           AND NOT EXISTS (SELECT 1 FROM executions e WHERE e.owner = s.id AND e.closed_at IS NULL)`,
      );
      // Attempts of executions that no longer exist.
      await pool.query(
        `DELETE FROM worker_attempts a WHERE NOT EXISTS (SELECT 1 FROM executions e WHERE e.id = a.execution_id)
           AND NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = a.worker_id AND s.gone_at IS NULL)`,
      );
    },
  };
}

/** Skips a row that this release cannot read. */
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
