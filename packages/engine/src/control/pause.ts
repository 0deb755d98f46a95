import type { StateType } from '@millrace/contract';
import { parseDuration } from '../duration.ts';
import type { ControlContext, Waiting } from './control.ts';
import { sequence } from './plan.ts';
import { tasksOf, textOf } from './tasks.ts';

const onElapsed: Readonly<Record<string, 'RESUME' | StateType>> = {
  RESUME: 'RESUME',
  WARN: 'WARNING',
  FAIL: 'FAILED',
  CANCEL: 'CANCELLED',
};

/** Pause: waits to be resumed; a delay resumes by itself, a timeout fails. With both, the delay counts. */
export const pause: Waiting = {
  kind: 'waiting',
  plan: (task) => sequence(tasksOf(task.tasks)),
  wakeAt: (context) => {
    const { task } = context;
    const delay = task.pauseDuration ?? task.delay;
    const limit = delay ?? task.timeout;
    return limit === undefined ? undefined : context.now + durationMs(context, textOf(limit));
  },
  elapsed: (task) => {
    if (task.pauseDuration === undefined && task.delay === undefined) return 'FAILED';
    return onElapsed[textOf(task.behavior) || 'RESUME'] ?? 'RESUME';
  },
};

function durationMs(context: ControlContext, template: string): number {
  const text = context.text('duration', template);
  const ms = parseDuration(text);
  if (ms === undefined) throw new Error(`"${text}" is not a duration such as PT1H.`);
  return ms;
}
