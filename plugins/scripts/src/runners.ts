import { shortType } from '@millrace/engine';
import type { RunnerDefinition, RunnerJob, TaskContext } from '@millrace/plugin-kit';
import { readInput, renderProperties, TaskFailed } from '@millrace/plugin-kit';
import { dockerRunner } from './docker/dockerRunner.ts';
import { processRunner } from './processRunner.ts';

export const runners: readonly RunnerDefinition[] = [processRunner, dockerRunner];

/** Runs the job on the task's runner; the default is a process. */
export async function runJob(
  context: TaskContext,
  asked: Readonly<Record<string, unknown>> | undefined,
  job: RunnerJob,
): ReturnType<RunnerDefinition['run']> {
  const { type, ...properties } = { type: processRunner.type, ...asked };
  const runner = findRunner(context, String(type));
  if (!runner) throw new TaskFailed(`The task runner "${type}" is not installed.`, { retry: false });
  const rendered = await renderProperties(runner, properties, context);
  return runner.run(context, readInput(runner.type, runner.input, rendered), job);
}

/** Finds a built-in runner or a runner of a user's plugin. */
function findRunner(context: TaskContext, type: string): RunnerDefinition | undefined {
  const short = shortType(type);
  const own = runners.find(
    (each) => each.type === short || each.aliases?.some((alias) => shortType(alias) === short),
  );
  if (own) return own;
  const found = context.findType(type);
  return found?.kind === 'taskRunner' ? found : undefined;
}
