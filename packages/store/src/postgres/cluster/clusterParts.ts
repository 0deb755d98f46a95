import { isCreated, StateType } from '@millrace/contract';
import { guard, insertInto, typed } from '../part.ts';

const createdStates = StateType.options
  .filter(isCreated)
  .map((state) => `'${state}'`)
  .join(', ');

/** The pieces of a batch that are about other servers. The database's clock says when: servers need not agree on it. */
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
  /** Locked, so that an answer which is being taken right now is waited for, and then refuses its twin. */
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
  /** A function call and no command of its own: being guarded is what makes the statement carry it out. */
  addJob: guard({
    columns: typed(['identifier', 'payload']),
    command: (from) => `SELECT 1 FROM graphile_worker.add_jobs(ARRAY(
      SELECT ROW(u.identifier, u.payload::json, NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
      FROM ${from}))`,
  }),
};
