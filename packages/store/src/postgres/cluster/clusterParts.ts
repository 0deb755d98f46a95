import { isCreated, StateType } from '@millrace/contract';
import { guard, insertInto, typed } from '../cte.ts';

const createdStates = StateType.options
  .filter(isCreated)
  .map((state) => `'${state}'`)
  .join(', ');

/**
 * The parts of a batch that concern other servers. Times come from the database's clock, so servers' clocks
 * need not agree.
 */
export const clusterParts = {
  putMessage: insertInto('execution_messages', ['id', 'execution_id', 'owner', 'body']),
  takeMessage: {
    columns: typed(['id']),
    command: (from: string) => `DELETE FROM execution_messages t USING ${from} WHERE t.id = u.id`,
  },
  refuseMessage: {
    columns: typed(['id', 'refusal']),
    command: (from: string) =>
      `UPDATE execution_messages t SET refusal = u.refusal FROM ${from} WHERE t.id = u.id`,
  },
  beginAttempt: guard(
    insertInto(
      'worker_attempts',
      ['execution_id', 'task_run_id', 'attempt', 'worker_id'],
      ' ON CONFLICT DO NOTHING RETURNING 1',
    ),
  ),
  endAttempt: {
    columns: typed(['execution_id', 'task_run_id', 'attempt']),
    command: (from: string) => `DELETE FROM worker_attempts t USING ${from}
      WHERE t.execution_id = u.execution_id AND t.task_run_id = u.task_run_id AND t.attempt = u.attempt`,
  },
  /**
   * Locks the row: waits for a concurrent response to the same attempt to commit, and then rejects the
   * duplicate.
   */
  wantAttempt: guard({
    columns: typed(['execution_id', 'task_run_id', 'attempt']),
    command: (from) => `SELECT 1 FROM ${from}
      JOIN task_runs t ON t.execution_id = u.execution_id AND t.id = u.task_run_id
      WHERE t.state IN (${createdStates}) AND NOT EXISTS (SELECT 1 FROM worker_attempts w
        WHERE w.execution_id = u.execution_id AND w.task_run_id = u.task_run_id AND w.attempt = u.attempt)
      FOR SHARE OF t`,
  }),
  holdFolder: guard(
    insertInto(
      'worker_folders',
      ['directory', 'execution_id', 'task_run_id', 'worker_id'],
      ' ON CONFLICT DO NOTHING RETURNING 1',
    ),
  ),
  dropFolder: {
    columns: typed(['directory']),
    command: (from: string) => `DELETE FROM worker_folders t USING ${from} WHERE t.directory = u.directory`,
  },
  /**
   * A function call, not a command: only the guard makes the statement execute it. The function returns no row for a key
   * whose job is fetched at this moment: that job is the same attempt, so nothing is to be added.
   */
  addJob: guard({
    columns: typed(['identifier', 'payload', 'job_key']),
    command: (from) => `SELECT 1 FROM ${from}, (SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
      SELECT ROW(u.identifier, u.payload::json, NULL, NULL, NULL, u.job_key, NULL, NULL)::graphile_worker.job_spec
      FROM ${from}))) added`,
  }),
};
