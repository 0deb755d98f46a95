import { readDuration } from '@millrace/engine';
import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';

/** Node's timers overflow above this value. */
const longestMs = 2_147_483_647;

/** The `timeout` of a task, which may be an expression. */
export async function readTimeout(
  timeout: unknown,
  context: Pick<TaskContext, 'render'>,
): Promise<{ readonly ms: number; readonly text: string }> {
  const text = String(await context.render(timeout));
  const ms = readDuration(text);
  if (ms === undefined || ms < 0) {
    throw new TaskFailed(`The timeout "${text}" is not a duration such as PT30S.`, { retry: false });
  }
  return { ms: Math.min(ms, longestMs), text };
}
