import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isTerminal } from '@millrace/contract';
import { taskRunOfDirectory } from '@millrace/engine';
import type { StoredExecution } from '@millrace/store';
import type { ProcessLog } from '../processLog.ts';
import type { ExecutorParts } from './executorParts.ts';
import type { ExecutorPort, IsElsewhere } from './executorPort.ts';
import { missingFlow } from './placeholderFlow.ts';

const pageSize = 200;

export interface Recovered {
  readonly executions: number;
  readonly quarantined: number;
}

/**
 * Resumes everything that the previous process left open. An execution that cannot resume ends with the reason, and never
 * prevents the others or the server from starting.
 */
export async function recoverExecutions(
  executor: Pick<ExecutorPort, 'recover'>,
  parts: Pick<ExecutorParts, 'store' | 'flows' | 'log'>,
  workFolder: string,
): Promise<Recovered> {
  let executions = 0;
  let quarantined = 0;
  const sharedFolders = await removeAttemptFolders(workFolder);
  const openTaskRunIds = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = await parts.store.openExecutions(after, pageSize);
    for (const id of page.ids) {
      try {
        // One after the other, because each can have very many task runs.
        const stored = await parts.store.getExecution(id);
        if (!stored) continue;
        for (const taskRun of stored.taskRuns)
          if (!isTerminal(taskRun.state.current)) openTaskRunIds.add(taskRun.id);
        if (!(await recoverExecution(stored, executor, parts))) quarantined++;
        executions++;
      } catch (error) {
        quarantined++;
        quarantine(id, error, parts.log);
      }
    }
    if (page.next === undefined) break;
    after = page.next;
  }
  for (const name of sharedFolders)
    if (!openTaskRunIds.has(taskRunOfDirectory(name))) await remove(workFolder, name);
  return { executions, quarantined };
}

/**
 * Removes the folders and log files of attempts that ended with the process before. It runs before recovery starts new
 * attempts, because an attempt that was never stored gets the same folder name again. Returns the other names: folders
 * that task runs share.
 */
async function removeAttemptFolders(workFolder: string): Promise<string[]> {
  const names = await readdir(workFolder);
  const isOfAttempt = (name: string) => /-\d+(\.log)?$/.test(name);
  for (const name of names.filter(isOfAttempt)) await remove(workFolder, name);
  return names.filter((name) => !isOfAttempt(name));
}

const remove = (workFolder: string, name: string): Promise<void> =>
  rm(join(workFolder, name), { recursive: true, force: true });

/** Resumes one execution. Returns false when its flow prevents that: then the execution ends with the reason. */
export async function recoverExecution(
  stored: StoredExecution,
  executor: Pick<ExecutorPort, 'recover'>,
  { flows }: Pick<ExecutorParts, 'flows'>,
  isElsewhere?: IsElsewhere,
): Promise<boolean> {
  const { namespace, flowId, flowRevision } = stored.execution;
  const found = await flows.find(namespace, flowId, flowRevision);
  const problem = problemOf(found, flowId, flowRevision);
  executor.recover(found?.runnable ?? missingFlow(stored.execution), stored, problem, isElsewhere);
  return problem === undefined;
}

function problemOf(
  found: { readonly problem?: string } | undefined,
  flowId: string,
  revision: number,
): string | undefined {
  if (!found)
    return `The revision ${revision} of the flow "${flowId}" is gone, so the execution cannot continue.`;
  if (found.problem === undefined) return undefined;
  return `The flow can no longer be read, so the execution cannot continue: ${found.problem}`;
}

export function quarantine(executionId: string, error: unknown, log: ProcessLog): void {
  log.error('An execution cannot be read and is left alone.', { executionId, error });
}
