import type { Container } from './control.ts';
import { sequence } from './plan.ts';
import { tasksOf } from './tasks.ts';

/** The children run in order in one folder on one worker; the engine drives them like any other sequence. */
export const workingDirectory: Container = {
  kind: 'container',
  sharesDirectory: true,
  plan: ({ task }) => sequence(tasksOf(task.tasks)),
};
