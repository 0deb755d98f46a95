import type { StoredExecution } from '@millrace/store';
import type { ProcessLog } from '../processLog.ts';
import type { Executor } from './executor.ts';
import type { ExecutorParts } from './executorParts.ts';

const pageSize = 200;

export interface Recovered {
  readonly executions: number;
  readonly quarantined: number;
}

/**
 * Carries on with everything the process before has left open. One execution that cannot be carried on is marked as
 * broken, so that it is visible, and never keeps the others or the server from starting.
 */
export async function recoverExecutions(executor: Executor, parts: ExecutorParts): Promise<Recovered> {
  let executions = 0;
  let quarantined = 0;
  for (let after: string | undefined; ; ) {
    const page = await readPage(after, parts);
    for (const stored of page) {
      const { namespace, flowId, flowRevision, id } = stored.execution;
      try {
        const found = await parts.flows.find(namespace, flowId, flowRevision);
        const problem = problemOf(found, flowId, flowRevision);
        if (problem !== undefined) quarantined++;
        executor.recover(found?.runnable ?? emptyFlow(stored.execution), stored, problem);
        executions++;
      } catch (error) {
        quarantined++;
        quarantine(id, error, parts.log);
      }
    }
    after = page.at(-1)?.execution.id;
    if (page.length < pageSize) return { executions, quarantined };
  }
}

/** A row that cannot even be read hides those behind it; the server must start all the same, and says so. */
async function readPage(
  after: string | undefined,
  { store, log }: ExecutorParts,
): Promise<StoredExecution[]> {
  try {
    return await store.openExecutions(after, pageSize);
  } catch (error) {
    log.error('Open executions cannot be read; those after this one are not carried on.', { after, error });
    return [];
  }
}

function problemOf(
  found: { readonly problem?: string } | undefined,
  flowId: string,
  revision: number,
): string | undefined {
  if (!found)
    return `The revision ${revision} of the flow "${flowId}" is gone, so the execution cannot go on.`;
  if (found.problem === undefined) return undefined;
  return `The flow can no longer be read, so the execution cannot go on: ${found.problem}`;
}

function quarantine(executionId: string, error: unknown, log: ProcessLog): void {
  log.error('An execution cannot be read and is left alone.', { executionId, error });
}

function emptyFlow(execution: { tenantId: string; namespace: string; flowId: string; flowRevision: number }) {
  const { tenantId, namespace, flowId: id, flowRevision: revision } = execution;
  return { tenantId, namespace, id, revision, tasks: [], disabled: false, deleted: true };
}
