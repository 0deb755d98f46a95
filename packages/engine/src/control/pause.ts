import type { StateType } from '@millrace/contract';
import { readDuration } from '../duration.ts';
import type { ControlContext, Waiting } from './control.ts';
import { sequence } from './plan.ts';
import { choiceOf, tasksOf, textOf } from './tasks.ts';

const onElapsed: Readonly<Record<ReturnType<typeof behaviorOf>, 'RESUME' | StateType>> = {
  RESUME: 'RESUME',
  WARN: 'WARNING',
  FAIL: 'FAILED',
  CANCEL: 'CANCELLED',
};

/** Pause: waits to be resumed; a delay resumes by itself, a timeout fails. With both, the delay applies. */
export const pause: Waiting = {
  kind: 'waiting',
  plan: (task) => sequence(tasksOf(task.tasks)),
  wakeAt: (context) => {
    const { task } = context;
    const delay = task.pauseDuration ?? task.delay;
    const limit = delay ?? task.timeout;
    // An invalid `behavior` fails when the pause starts, not when it ends.
    if (delay !== undefined) behaviorOf(context);
    return limit === undefined ? undefined : context.now + durationMs(context, textOf(limit));
  },
  elapsed: (context) => {
    const { pauseDuration, delay } = context.task;
    return pauseDuration === undefined && delay === undefined ? 'FAILED' : onElapsed[behaviorOf(context)];
  },
};

function behaviorOf(context: ControlContext) {
  return choiceOf(context, 'behavior', ['RESUME', 'WARN', 'FAIL', 'CANCEL']);
}

function durationMs(context: ControlContext, template: string): number {
  const text = context.text('duration', template);
  const ms = readDuration(text);
  if (ms === undefined) throw new Error(`"${text}" is not a duration such as PT1H.`);
  return ms;
}
