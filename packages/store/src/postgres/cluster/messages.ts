import type { Cluster, MessageRecord, Refusal } from '../../port/cluster.ts';
import { decodeText, encodeText } from '../../rows/text.ts';
import { type ClusterContext, databaseNow } from './context.ts';

type Messages = Pick<Cluster, 'readMessages' | 'findMessage' | 'withdraw' | 'redirectMessages'>;

/** After this time no sender waits for a response, and no execution is still being inserted. */
const forgottenMs = 60_000;

export function createMessages({ pool, messages, notify }: ClusterContext): Messages {
  return {
    readMessages: async (owner, except, limit) => {
      const { rows } = await messages.query<{ id: string; execution_id: string; body: string }>({
        name: 'millrace_read_messages',
        // Includes messages sent to the previous owner, because messages of one execution must be taken in
        // order. Rows change too fast for the planner's statistics: this form only allows index scans.
        text: `SELECT m.id, m.execution_id, m.body FROM execution_messages m
            WHERE m.execution_id = ANY(ARRAY(SELECT o.execution_id FROM execution_messages o
                WHERE o.owner = $1 AND o.refusal IS NULL AND o.id <> ALL($2) ORDER BY o.seq LIMIT $3))
              AND (SELECT e.owner FROM executions e WHERE e.id = m.execution_id) = $1
              AND m.refusal IS NULL AND m.id <> ALL($2) ORDER BY m.seq LIMIT $3`,
        values: [owner, except, limit],
      });
      return rows.map(({ id, execution_id, body }) => ({
        id: decodeText(id),
        executionId: decodeText(execution_id),
        content: readContent(body),
      }));
    },

    findMessage: async (id) => {
      const { rows } = await pool.query<{ refusal: string | null }>(
        'SELECT refusal FROM execution_messages WHERE id = $1',
        [encodeText(id)],
      );
      const [row] = rows;
      if (!row) return undefined;
      // `as`: written with `message.refuse`.
      return row.refusal === null ? {} : { refusal: JSON.parse(row.refusal) as Refusal };
    },

    withdraw: async (id) => {
      await pool.query('DELETE FROM execution_messages WHERE id = $1', [encodeText(id)]);
    },

    redirectMessages: async () => {
      const moved = await pool.query<{ owner: string }>(
        `UPDATE execution_messages m SET owner = e.owner FROM executions e JOIN servers s ON s.id = e.owner
         WHERE e.id = m.execution_id AND s.gone_at IS NULL AND m.refusal IS NULL
           AND m.owner IS DISTINCT FROM e.owner RETURNING e.owner`,
      );
      if (moved.rows.length > 0)
        notify({ messageOwners: [...new Set(moved.rows.map(({ owner }) => owner))] });
      await pool.query(
        `DELETE FROM execution_messages m WHERE m.at < ${databaseNow} - $1
           AND (m.refusal IS NOT NULL OR NOT EXISTS (SELECT 1 FROM executions e WHERE e.id = m.execution_id))`,
        [forgottenMs],
      );
      const { rows } = await pool.query<{ id: string }>(
        `SELECT DISTINCT e.id FROM execution_messages m JOIN executions e ON e.id = m.execution_id
         WHERE m.refusal IS NULL
           AND NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = e.owner AND s.gone_at IS NULL) LIMIT 500`,
      );
      return rows.map(({ id }) => decodeText(id));
    },
  };
}

function readContent(body: string): MessageRecord['content'] | undefined {
  try {
    // `as`: written with `message.put`; the engine validates the events.
    const content = JSON.parse(body) as MessageRecord['content'];
    return typeof content === 'object' && content !== null && 'kind' in content ? content : undefined;
  } catch {
    return undefined;
  }
}
