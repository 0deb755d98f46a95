import type { Cluster } from '../../port/cluster.ts';
import { decodeText, encodeText } from '../../rows/text.ts';
import type { ClusterContext } from './context.ts';

type Owners = Pick<Cluster, 'claim' | 'findNeglected' | 'unknownOwners' | 'acquire'>;

/** `MessageRecord` as it is stored. */
const adopt = '{"kind":"adopt"}';

/**
 * Every change of owner raises the version, so writes of the previous owner are rejected. The same statement
 * sends the new owner a message, even when that owner is the caller: if the response is lost, no server would
 * run the execution.
 */
export function createOwners({ pool, notify }: ClusterContext): Owners {
  return {
    claim: async (owner, gone, limit) => {
      const { rows } = await pool.query<{ id: string }>(
        `WITH free AS (SELECT id FROM executions WHERE closed_at IS NULL AND (owner IS NULL OR owner = ANY($2))
           ORDER BY start_date, id LIMIT $3 FOR UPDATE SKIP LOCKED),
         taken AS (UPDATE executions e SET owner = $1, version = e.version + 1 FROM free WHERE e.id = free.id
           RETURNING e.id)
         INSERT INTO execution_messages (id, execution_id, owner, body)
           SELECT gen_random_uuid()::text, id, $1, '${adopt}' FROM taken RETURNING execution_id AS id`,
        [owner, gone, limit],
      );
      return rows.map(({ id }) => decodeText(id));
    },

    findNeglected: async (gone) => {
      const { rows } = await pool.query<{ executions: boolean; messages: boolean; slots: boolean }>({
        name: 'millrace_find_neglected',
        text: `SELECT EXISTS (SELECT 1 FROM executions
               WHERE closed_at IS NULL AND (owner IS NULL OR owner = ANY($1))) AS executions,
             EXISTS (SELECT 1 FROM execution_messages) AS messages,
             EXISTS (SELECT 1 FROM concurrency_slots) AS slots`,
        values: [gone],
      });
      return rows[0] ?? { executions: true, messages: true, slots: true };
    },

    unknownOwners: async () => {
      const { rows } = await pool.query<{ owner: string }>(
        `SELECT DISTINCT owner FROM executions e WHERE closed_at IS NULL AND owner IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = e.owner)`,
      );
      return rows.map(({ owner }) => owner);
    },

    acquire: async (executionId, owner) => {
      const id = encodeText(executionId);
      if (owner !== undefined) {
        const taken = await pool.query(
          `WITH taken AS (UPDATE executions e SET owner = $2, version = e.version + 1
             WHERE id = $1 AND owner IS DISTINCT FROM $2
               AND NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = e.owner AND s.gone_at IS NULL)
             RETURNING e.id, e.closed_at),
           told AS (INSERT INTO execution_messages (id, execution_id, owner, body)
             SELECT gen_random_uuid()::text, id, $2, '${adopt}' FROM taken WHERE closed_at IS NULL)
           SELECT id FROM taken`,
          [id, owner],
        );
        if (taken.rowCount === 1) {
          notify({ messageOwners: [owner] });
          return { owner };
        }
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
