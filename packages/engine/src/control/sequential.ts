import type { Container } from './control.ts';
import { sequence } from './plan.ts';
import { tasksOf } from './tasks.ts';

export const sequential: Container = {
  kind: 'container',
  plan: ({ task }) => sequence(tasksOf(task.tasks)),
};

/** A sequence whose failure is only a warning. */
export const allowFailure: Container = {
  ...sequential,
  result: (state) => (state === 'FAILED' ? 'WARNING' : state),
};
