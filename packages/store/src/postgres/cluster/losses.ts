import type pg from 'pg';
import { ownQueuePrefix } from '../../port/cluster.ts';

type Client = Pick<pg.PoolClient, 'query'>;

/** A worker that had more than one attempt was not necessarily taken down by this one. */
const isShared = `(SELECT count(*) FROM worker_attempts a WHERE a.worker_id = l.worker_id AND a.lost = 0) > 1`;

/** Tells the owners of executions what is lost with these workers: folders first. Answers who was told. */
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
     FROM lost l JOIN executions e ON e.id = l.execution_id WHERE e.over_at IS NULL RETURNING owner`,
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

/** The queue has its own schema, which is made when the first worker or executor needs it. */
export async function hasQueue(client: Client): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('graphile_worker._private_jobs') AS jobs");
  return rows[0]?.jobs !== null;
}

/** What waits in the queue of a worker that is gone is never taken: its folder is lost, and its tasks start over. */
export async function dropQueuesOfGone(client: Client): Promise<void> {
  if (!(await hasQueue(client))) return;
  const ofGone = `t.identifier LIKE '${ownQueuePrefix}%' AND NOT EXISTS (SELECT 1 FROM servers s
    WHERE s.id = substr(t.identifier, ${ownQueuePrefix.length + 1}) AND s.gone_at IS NULL)`;
  await client.query(
    `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
     WHERE t.id = j.task_id AND ${ofGone}`,
  );
  // Its name stays until the server is forgotten: one that comes back goes on with it.
  await client.query(
    `DELETE FROM graphile_worker._private_tasks t WHERE ${ofGone}
       AND NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = substr(t.identifier, ${ownQueuePrefix.length + 1}))
       AND NOT EXISTS (SELECT 1 FROM graphile_worker._private_jobs j WHERE j.task_id = t.id)`,
  );
}
