import type { Container } from './control.ts';
import { sequence } from './plan.ts';

/** Template: the tasks of a stored template, in order; `args` are read as `parent.outputs.args`. */
export const template: Container = {
  kind: 'container',
  plan: (context) => sequence(context.template().tasks),
  outputs: (context) => ({ args: context.value('args', context.task.args) ?? {} }),
};
