import { playgroundLabel } from '@millrace/contract';
import type pg from 'pg';
import type { Cluster } from '../../port/cluster.ts';
import type { FlowKey } from '../../port/flowKey.ts';
import { decodeText, encodeText } from '../../rows/text.ts';
import { type ClusterContext, databaseNow } from './context.ts';
import { inTransaction } from './inTransaction.ts';

type Slots = Pick<Cluster, 'enrolSlots' | 'takeSlot' | 'forceSlot' | 'fillSlots' | 'neglectedSlots'>;

/** A forced slot is acquired before its execution is open again; it is kept this long when that never happens. */
const forcedMs = 30_000;

/** The states of an execution that holds a slot or waits for one. */
const counted = ['RUNNING', 'PAUSED', 'BREAKPOINT', 'RESTARTED', 'RETRYING', 'KILLING', 'QUEUED'];

/** The execution is still as it was when the slot was forced: its change is not stored yet. */
const isPending = `p.forced = 1 AND p.at >= ${databaseNow} - ${forcedMs} AND NOT EXISTS
  (SELECT 1 FROM executions e WHERE e.id = p.execution_id AND e.closed_at IS DISTINCT FROM p.forced_closed_at)`;

const hasEnded = `NOT EXISTS (SELECT 1 FROM executions e WHERE e.id = p.execution_id AND e.closed_at IS NULL)
  AND NOT (${isPending})`;

/**
 * Concurrency slots: one row for each execution that holds a slot or waits for one, never a counter. Rows of
 * finished executions do not count, so a crash cannot leak a slot. A lock per flow serializes the decisions
 * of all servers.
 */
export function createSlots({ pool }: ClusterContext): Slots {
  return {
    enrolSlots: (flow) =>
      decide(pool, flow, async (client, key) => {
        await client.query(
          `INSERT INTO concurrency_slots (execution_id, namespace, flow_id, holds)
           SELECT id, namespace, flow_id, (state <> 'QUEUED')::integer FROM executions
           WHERE namespace = $1 AND flow_id = $2 AND closed_at IS NULL AND state = ANY($3) AND NOT EXISTS
             (SELECT 1 FROM execution_labels l WHERE l.execution_id = executions.id AND l.key = $4)
           ORDER BY start_date, seq
           ON CONFLICT DO NOTHING`,
          [...key, counted, encodeText(playgroundLabel.key)],
        );
      }),

    takeSlot: (flow, executionId, { limit, waits }) =>
      decide(pool, flow, async (client, key) => {
        const id = encodeText(executionId);
        await client.query(
          `INSERT INTO concurrency_slots (execution_id, namespace, flow_id, holds) VALUES ($1, $2, $3, 0)
           ON CONFLICT DO NOTHING`,
          [id, ...key],
        );
        const { rowCount } = await client.query(
          `UPDATE concurrency_slots p SET holds = 1 WHERE p.execution_id = $1 AND (p.holds = 1 OR
             (SELECT count(*) FROM concurrency_slots o WHERE o.namespace = p.namespace AND o.flow_id = p.flow_id
                AND (o.holds = 1 OR o.seq < p.seq)) < $2)`,
          [id, limit],
        );
        if (rowCount === 0 && !waits)
          await client.query('DELETE FROM concurrency_slots WHERE execution_id = $1', [id]);
        return rowCount === 1;
      }),

    forceSlot: async (flow, executionId) => {
      // `xmax` tells an inserted row from an updated one. An execution that ended can have a row that is not released yet.
      const { rows } = await pool.query<{ is_new: boolean }>(
        `INSERT INTO concurrency_slots AS p (execution_id, namespace, flow_id, holds, forced, forced_closed_at)
         VALUES ($1, $2, $3, 1, 1, (SELECT closed_at FROM executions WHERE id = $1))
         ON CONFLICT (execution_id) DO UPDATE
           SET holds = 1, forced = 1, at = ${databaseNow}, forced_closed_at = EXCLUDED.forced_closed_at
           WHERE p.holds = 0 OR EXCLUDED.forced_closed_at IS NOT NULL
         RETURNING xmax = 0 OR p.forced_closed_at IS NOT NULL AS is_new`,
        [encodeText(executionId), ...keyOf(flow)],
      );
      const [row] = rows;
      if (!row) return 'held';
      return row.is_new ? 'new' : 'waited';
    },

    fillSlots: (flow, limit, leaving) =>
      decide(pool, flow, async (client, key) => {
        if (leaving !== undefined)
          await client.query(`${leave[leaving.as]} WHERE p.execution_id = $1`, [
            encodeText(leaving.executionId),
          ]);
        const { rows } = await client.query<{ execution_id: string }>(
          `WITH next AS (SELECT execution_id FROM concurrency_slots WHERE namespace = $1 AND flow_id = $2 AND holds = 0
             ORDER BY seq LIMIT greatest(0, $3 - (SELECT count(*) FROM concurrency_slots
               WHERE namespace = $1 AND flow_id = $2 AND holds = 1)))
           UPDATE concurrency_slots p SET holds = 1, at = ${databaseNow} FROM next
           WHERE p.execution_id = next.execution_id RETURNING p.execution_id, p.seq`,
          [...key, limit],
        );
        return rows.map(({ execution_id }) => decodeText(execution_id));
      }),

    neglectedSlots: async (olderThanMs) => {
      const flows = await pool.query<{ namespace: string; flow_id: string }>(
        `SELECT DISTINCT namespace, flow_id FROM concurrency_slots p WHERE p.holds = 0 OR (${hasEnded})`,
      );
      const waiting = await pool.query<{ id: string }>(
        `SELECT e.id FROM concurrency_slots p JOIN executions e ON e.id = p.execution_id
         WHERE p.holds = 1 AND p.at < ${databaseNow} - $1 AND e.state IN ('CREATED', 'QUEUED')`,
        [olderThanMs],
      );
      return {
        flows: flows.rows.map((row) => ({
          namespace: decodeText(row.namespace),
          id: decodeText(row.flow_id),
        })),
        waiting: waiting.rows.map(({ id }) => decodeText(id)),
      };
    },
  };
}

/**
 * An execution that ended has lost its slot already, unless a restart reserved it again: then the slot stays. A deleted one
 * has no row that could say so.
 */
const leave = {
  ended: `DELETE FROM concurrency_slots p USING (SELECT 1 WHERE NOT EXISTS
    (SELECT 1 FROM executions e WHERE e.id = $1)) deleted`,
  refused: 'DELETE FROM concurrency_slots p',
  waiting: 'UPDATE concurrency_slots p SET holds = 0',
} as const;

type Key = readonly [namespace: string, flowId: string];

const keyOf = ({ namespace, id }: FlowKey): Key => [encodeText(namespace), encodeText(id)];

/** Runs the work under the flow's lock, after deleting the slots of finished executions. */
function decide<T>(
  pool: pg.Pool,
  flow: FlowKey,
  work: (client: pg.PoolClient, key: Key) => Promise<T>,
): Promise<T> {
  const key = keyOf(flow);
  return inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`slot ${key.join('/')}`]);
    await client.query(
      `DELETE FROM concurrency_slots p WHERE p.namespace = $1 AND p.flow_id = $2 AND ${hasEnded}`,
      [...key],
    );
    return work(client, key);
  });
}
