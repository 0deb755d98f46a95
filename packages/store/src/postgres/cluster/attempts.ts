import { terminalStates } from '@millrace/contract';
import type { Cluster, WorkerAttempt } from '../../port/cluster.ts';
import { decodeText, encodeText } from '../../rows/text.ts';
import type { ClusterContext } from './context.ts';

type Attempts = Pick<
  Cluster,
  'unwantedAttempts' | 'listAttempts' | 'findAttempt' | 'keptFolders' | 'interrupt'
>;

interface AttemptRow {
  readonly execution_id: string;
  readonly task_run_id: string;
  readonly attempt: number;
}

export function createAttempts({ pool, notify }: ClusterContext): Attempts {
  return {
    unwantedAttempts: async (workerId) => {
      // `afterExecution` tasks still run when the execution has its final state, so `closed_at` decides.
      const { rows } = await pool.query<AttemptRow>(
        `SELECT a.execution_id, a.task_run_id, a.attempt FROM worker_attempts a
         LEFT JOIN executions e ON e.id = a.execution_id
         LEFT JOIN task_runs t ON t.execution_id = a.execution_id AND t.id = a.task_run_id
         WHERE a.worker_id = $1
           AND (e.id IS NULL OR a.lost = 1 OR e.state = 'KILLING' OR e.closed_at IS NOT NULL OR t.state = ANY($2))`,
        [workerId, terminalStates],
      );
      return rows.map(read);
    },

    listAttempts: async (executionIds) => {
      const { rows } = await pool.query<AttemptRow>(
        'SELECT execution_id, task_run_id, attempt FROM worker_attempts WHERE execution_id = ANY($1) AND lost = 0',
        [executionIds.map(encodeText)],
      );
      return rows.map(read);
    },

    findAttempt: async ({ executionId, taskRunId, attempt }) => {
      const { rows } = await pool.query<{ worker_id: string; lost: number }>(
        `SELECT worker_id, lost FROM worker_attempts
         WHERE execution_id = $1 AND task_run_id = $2 AND attempt = $3`,
        [encodeText(executionId), encodeText(taskRunId), attempt],
      );
      const [row] = rows;
      return row && { workerId: row.worker_id, isLost: row.lost === 1 };
    },

    keptFolders: async (workerId) => {
      await pool.query(
        `DELETE FROM worker_folders f WHERE f.worker_id = $1
           AND NOT EXISTS (SELECT 1 FROM executions e WHERE e.id = f.execution_id AND e.closed_at IS NULL)`,
        [encodeText(workerId)],
      );
      const { rows } = await pool.query<{ directory: string }>(
        'SELECT directory FROM worker_folders WHERE worker_id = $1',
        [encodeText(workerId)],
      );
      return rows.map(({ directory }) => decodeText(directory));
    },

    interrupt: (taskRunIds) => notify({ interrupted: taskRunIds }),
  };
}

const read = ({ execution_id, task_run_id, attempt }: AttemptRow): WorkerAttempt => ({
  executionId: decodeText(execution_id),
  taskRunId: decodeText(task_run_id),
  attempt,
});
