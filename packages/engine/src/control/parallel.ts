import type { Container } from './control.ts';
import { sideBySide } from './plan.ts';
import { countOf, tasksOf } from './tasks.ts';

export const parallel: Container = {
  kind: 'container',
  plan: (context) =>
    sideBySide(tasksOf(context.task.tasks), countOf(context, 'concurrent', { fallback: 0, min: 0 })),
};
