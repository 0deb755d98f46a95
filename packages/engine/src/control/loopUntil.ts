import { stateTimes } from '@millrace/contract';
import { readDuration } from '../duration.ts';
import type { Container, ControlContext } from './control.ts';
import { checkIterations } from './iterationLimit.ts';
import { sequence } from './plan.ts';
import { countOf, flagOf, numberOf, tasksOf, textOf } from './tasks.ts';

interface CheckFrequency {
  readonly maxIterations?: unknown;
  readonly maxDuration?: unknown;
  readonly interval?: unknown;
}

const count = (context: ControlContext): number => numberOf(context.taskRun.outputs?.iterationCount, 1);

const durationOf = (context: ControlContext, key: string, value: unknown, fallbackMs: number): number => {
  if (value === undefined) return fallbackMs;
  const text = context.text(key, textOf(value));
  const ms = readDuration(text);
  if (ms === undefined) throw new Error(`"${text}" is not a duration such as PT1S (${key}).`);
  return ms;
};

/** LoopUntil: the tasks run in order, repeatedly, until the condition holds or a limit is reached. */
export const loopUntil: Container = {
  kind: 'container',
  plan: ({ task }) => sequence(tasksOf(task.tasks)),
  outputs: (context) => ({ iterationCount: count(context) }),
  repeat: (context, iteration) => {
    const { task } = context;
    if (context.isTrue(`condition#${iteration}`, textOf(task.condition))) return { again: false };
    const frequency = (task.checkFrequency ?? {}) as CheckFrequency;
    const maxIterations = countOf(context, 'maxIterations', {
      fallback: 100,
      min: 1,
      written: frequency.maxIterations,
    });
    const maxDurationMs = durationOf(context, 'maxDuration', frequency.maxDuration, 3_600_000);
    if (iteration >= context.maxIterations && maxIterations > context.maxIterations)
      checkIterations(iteration + 1, 0, context.maxIterations);
    const isOverdue = stateTimes(context.taskRun.state, context.now).durationMs > maxDurationMs;
    if (iteration + 1 > maxIterations || isOverdue) {
      const bound = isOverdue ? `the duration of ${maxDurationMs / 1000} s` : `${maxIterations} iterations`;
      return {
        again: false,
        count: iteration + 1,
        log: `The loop ended after ${iteration} iterations: ${bound} reached before the condition held.`,
        ...(flagOf(context, 'failOnMaxReached', false) ? { state: 'FAILED' } : {}),
      };
    }
    return { again: true, at: context.now + durationOf(context, 'interval', frequency.interval, 1000) };
  },
};
