import { isTerminal } from '@millrace/contract';
import type { LiveRun } from '@millrace/engine';
import type { StartedAttempt } from '../worker/worker.ts';

/** The attempt as it runs now; undefined when the engine did not accept its start. */
export function describeStarted(
  run: LiveRun,
  taskRunId: string,
  attempt: number,
): StartedAttempt | undefined {
  const taskRun = run.taskRun(taskRunId);
  const isRunning = taskRun?.state.current === 'RUNNING' && taskRun.attempts.length === attempt + 1;
  if (!taskRun || !isRunning || isTerminal(taskRun.attempts[attempt]?.state.current ?? 'KILLED'))
    return undefined;
  const variables = run.variables(taskRunId);
  return { execution: run.execution, taskRun, variables, secrets: run.secretTexts() };
}
