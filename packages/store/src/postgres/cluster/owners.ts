import type { Cluster } from '../../port/cluster.ts';
import { decodeText, encodeText } from '../../rows/text.ts';
import type { ClusterContext } from './context.ts';

type Owners = Pick<Cluster, 'claim' | 'unknownOwners' | 'acquire'>;

/** Every change of an owner raises the version: whatever the owner before still wants to write is refused. */
export function createOwners({ pool }: ClusterContext): Owners {
  return {
    claim: async (owner, gone, limit) => {
      const { rows } = await pool.query<{ id: string }>(
        `WITH free AS (SELECT id FROM executions WHERE over_at IS NULL AND (owner IS NULL OR owner = ANY($2))
           ORDER BY start_date, id LIMIT $3 FOR UPDATE SKIP LOCKED)
         UPDATE executions e SET owner = $1, version = e.version + 1 FROM free WHERE e.id = free.id RETURNING e.id`,
        [owner, gone, limit],
      );
      return rows.map(({ id }) => decodeText(id));
    },

    unknownOwners: async () => {
      const { rows } = await pool.query<{ owner: string }>(
        `SELECT DISTINCT owner FROM executions e WHERE over_at IS NULL AND owner IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = e.owner)`,
      );
      return rows.map(({ owner }) => owner);
    },

    acquire: async (executionId, owner) => {
      const id = encodeText(executionId);
      if (owner !== undefined) {
        const taken = await pool.query(
          `UPDATE executions e SET owner = $2, version = e.version + 1 WHERE id = $1 AND owner IS DISTINCT FROM $2
             AND NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = e.owner AND s.gone_at IS NULL)`,
          [id, owner],
        );
        if (taken.rowCount === 1) return { owner };
      }
      const { rows } = await pool.query<{ owner: string | null }>(
        'SELECT owner FROM executions WHERE id = $1',
        [id],
      );
      const [row] = rows;
      if (!row) return undefined;
      return row.owner === null ? {} : { owner: row.owner };
    },
  };
}
