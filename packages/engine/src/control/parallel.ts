import type { Container } from './control.ts';
import { sideBySide } from './plan.ts';
import { numberOf, tasksOf } from './tasks.ts';

export const parallel: Container = {
  kind: 'container',
  plan: (context) =>
    sideBySide(
      tasksOf(context.task.tasks),
      numberOf(context.value('concurrent', context.task.concurrent), 0),
    ),
};
