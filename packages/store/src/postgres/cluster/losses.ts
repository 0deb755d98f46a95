import type pg from 'pg';
import { ownQueuePrefix } from '../../port/cluster.ts';

type Client = Pick<pg.PoolClient, 'query'>;

/** When a worker ran more than one attempt, this attempt did not necessarily crash it. */
const isShared = `(SELECT count(*) FROM worker_attempts a WHERE a.worker_id = l.worker_id AND a.lost = 0) > 1`;

/** Sends the owners of executions what these workers lost, folders first. Returns the notified owners. */
export async function tellLosses(
  client: Client,
  workerIds: readonly string[],
  isDrained: boolean,
): Promise<string[]> {
  const folders = await client.query<{ owner: string | null }>(
    `WITH lost AS (DELETE FROM worker_folders WHERE worker_id = ANY($1)
       RETURNING execution_id, task_run_id, directory, worker_id)
     INSERT INTO execution_messages (id, execution_id, owner, body)
     SELECT gen_random_uuid()::text, l.execution_id, e.owner, json_build_object('kind', 'fact', 'event',
       json_build_object('type', 'directoryLost', 'taskRunId', l.task_run_id, 'directory', l.directory,
         'isDrained', $2::boolean, 'isShared', ${isShared}))::text
     FROM lost l JOIN executions e ON e.id = l.execution_id WHERE e.closed_at IS NULL RETURNING owner`,
    [workerIds, isDrained],
  );
  const attempts = await client.query<{ owner: string | null }>(
    `WITH lost AS (UPDATE worker_attempts SET lost = 1 WHERE worker_id = ANY($1) AND lost = 0
       RETURNING execution_id, task_run_id, attempt, worker_id)
     INSERT INTO execution_messages (id, execution_id, owner, body)
     SELECT gen_random_uuid()::text, l.execution_id, e.owner, json_build_object('kind', 'fact', 'event',
       json_build_object('type', 'workerLost', 'taskRunId', l.task_run_id, 'attempt', l.attempt,
         'isDrained', $2::boolean, 'isShared', ${isShared}))::text
     FROM lost l JOIN executions e ON e.id = l.execution_id RETURNING owner`,
    [workerIds, isDrained],
  );
  return [...new Set([...folders.rows, ...attempts.rows].flatMap(({ owner }) => owner ?? []))];
}

/** The queue has its own schema, which is created when the first worker or executor needs it. */
export async function hasQueue(client: Client): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('graphile_worker._private_jobs') AS jobs");
  return rows[0]?.jobs !== null;
}

/**
 * Deletes the queues of workers that are gone: their folders are lost, so their tasks start over elsewhere.
 */
export async function dropQueuesOfGone(client: Client): Promise<void> {
  if (!(await hasQueue(client))) return;
  const ofGone = `t.identifier LIKE '${ownQueuePrefix}%' AND NOT EXISTS (SELECT 1 FROM servers s
    WHERE s.id = substr(t.identifier, ${ownQueuePrefix.length + 1}) AND s.gone_at IS NULL)`;
  await client.query(
    `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
     WHERE t.id = j.task_id AND ${ofGone}`,
  );
  // The queue's name stays until the server's row is deleted: a server that returns continues to use it.
  await client.query(
    `DELETE FROM graphile_worker._private_tasks t WHERE ${ofGone}
       AND NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = substr(t.identifier, ${ownQueuePrefix.length + 1}))
       AND NOT EXISTS (SELECT 1 FROM graphile_worker._private_jobs j WHERE j.task_id = t.id)`,
  );
}
