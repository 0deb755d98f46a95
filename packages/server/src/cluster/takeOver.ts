import { type Cluster, isUnavailable, type StoredExecution } from '@millrace/store';
import type { Executor } from '../loops/executor.ts';
import type { ExecutorParts } from '../loops/executorParts.ts';
import { quarantine, recoverExecution } from '../loops/recovery.ts';
import type { Membership } from './membership.ts';

const pageSize = 200;

export interface TakeOverParts extends ExecutorParts {
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly executor: Executor;
  readonly workFolder: string;
}

/** Claims what nobody alive owns; the messages that come with it let this server carry on. Answers how many there were. */
export async function claimExecutions(gone: readonly string[], parts: TakeOverParts): Promise<number> {
  const { cluster, membership } = parts;
  for (let claimed = 0; ; ) {
    const ids = await cluster.claim(membership.id, gone, pageSize);
    claimed += ids.length;
    if (ids.length < pageSize) return claimed;
  }
}

/**
 * Carries on with executions that are this server's now. One that cannot be read never keeps the others waiting; a
 * database that cannot be reached keeps all of them, and is tried again by whoever asked.
 */
export async function carryOn(executionIds: readonly string[], parts: TakeOverParts): Promise<void> {
  const { store, cluster, executor, log } = parts;
  const found: StoredExecution[] = [];
  for (const executionId of executionIds) {
    try {
      const stored = await store.getExecution(executionId);
      if (stored && stored.execution.overAt === undefined) found.push(stored);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      quarantine(executionId, error, log);
    }
  }
  // After the rows: an attempt that is running in them and that no worker has by now is nobody's.
  const attempts = await cluster.listAttempts(found.map(({ execution }) => execution.id));
  const begun = new Set(attempts.map(({ taskRunId, attempt }) => `${taskRunId}/${attempt}`));
  for (const stored of found) {
    try {
      await recoverExecution(stored, executor, parts, ({ taskRunId, attempt }) =>
        begun.has(`${taskRunId}/${attempt}`),
      );
    } catch (error) {
      if (isUnavailable(error)) throw error;
      quarantine(stored.execution.id, error, log);
    }
  }
}
