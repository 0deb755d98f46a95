import { type Cluster, isUnavailable, type StoredExecution } from '@millrace/store';
import type { Executor } from '../executor/executor.ts';
import type { ExecutorParts } from '../executor/executorParts.ts';
import { quarantine, recoverExecution } from '../executor/recovery.ts';
import type { Membership } from './membership.ts';

const pageSize = 200;

export interface TakeOverParts extends ExecutorParts {
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly executor: Executor;
  readonly workFolder: string;
}

/** Claims executions of expired servers; the claim adds messages that make this server resume them. Returns their number. */
export async function claimExecutions(gone: readonly string[], parts: TakeOverParts): Promise<number> {
  const { cluster, membership } = parts;
  for (let claimed = 0; ; ) {
    const ids = await cluster.claim(membership.id, gone, pageSize);
    claimed += ids.length;
    if (ids.length < pageSize) return claimed;
  }
}

/**
 * Resumes executions that this server owns now. An unreadable execution never delays the others. When the database is
 * unavailable, the call fails and the caller retries it.
 */
export async function resumeExecutions(executionIds: readonly string[], parts: TakeOverParts): Promise<void> {
  const { store, cluster, executor, log } = parts;
  const found: StoredExecution[] = [];
  for (const executionId of executionIds) {
    try {
      const stored = await store.getExecution(executionId);
      if (stored && stored.execution.closedAt === undefined) found.push(stored);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      quarantine(executionId, error, log);
    }
  }
  // Read after the rows: an attempt that runs by the rows and that no worker has is lost.
  const attempts = await cluster.listAttempts(found.map(({ execution }) => execution.id));
  const started = new Set(attempts.map(({ taskRunId, attempt }) => `${taskRunId}/${attempt}`));
  for (const stored of found) {
    try {
      await recoverExecution(stored, executor, parts, ({ taskRunId, attempt }) =>
        started.has(`${taskRunId}/${attempt}`),
      );
    } catch (error) {
      if (isUnavailable(error)) throw error;
      quarantine(stored.execution.id, error, log);
    }
  }
}
