import type { RunnerJob, TaskContext } from './definition.ts';
import { messageOf } from './failure.ts';

/** The name of an attempt's job on a service: the same after a restart, in characters that every service accepts. */
export const remoteJobName = (
  { taskRunId }: Pick<TaskContext['run'], 'taskRunId'>,
  attempt: number,
): string => `millrace-${taskRunId}-${attempt}`.toLowerCase().replace(/[^a-z0-9-]/g, '-');

/**
 * The newest earlier attempt whose job still runs, because its worker was lost. An account that may not search for jobs
 * starts another one.
 */
export async function findLostAttempt<T>(
  { run, log, signal }: Pick<TaskContext, 'run' | 'log' | 'signal'>,
  find: (name: string, attempt: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    for (let attempt = run.attempt - 1; attempt >= 0; attempt--) {
      const found = await find(remoteJobName(run, attempt), attempt);
      if (found !== undefined) return found;
    }
  } catch (error) {
    signal.throwIfAborted();
    await log('WARN', `The job of an earlier attempt cannot be searched: ${messageOf(error)}`);
  }
}

/** The command and environment of a job for the folder that its container has instead of the working directory. */
export function inRemoteFolder({ command, env, workingDirectory }: RunnerJob, folder: string) {
  const toThere = (text: string) => text.replaceAll(workingDirectory, folder);
  return {
    command: command.map(toThere),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, toThere(value)])),
  };
}
