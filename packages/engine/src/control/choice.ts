import type { Task } from '@millrace/contract';
import { isTruthy } from '@millrace/expression';
import type { Container, ControlContext } from './control.ts';
import { sequence } from './plan.ts';
import { tasksOf, textOf } from './tasks.ts';

const evaluationResult = (context: ControlContext): boolean =>
  isTruthy(context.text('condition', textOf(context.task.condition)));

/** If: the condition is decided once; the branch not taken never runs. */
export const ifElse: Container = {
  kind: 'container',
  plan: (context) => sequence(tasksOf(evaluationResult(context) ? context.task.then : context.task.else)),
  outputs: (context) => ({ evaluationResult: evaluationResult(context) }),
};

const switchValue = (context: ControlContext): string => context.text('value', textOf(context.task.value));

function matchingCase(context: ControlContext): readonly Task[] | undefined {
  const cases = (context.task.cases ?? {}) as Readonly<Record<string, unknown>>;
  const value = switchValue(context);
  return Object.hasOwn(cases, value) ? tasksOf(cases[value]) : undefined;
}

/** Switch: the case whose key equals the rendered value, else the defaults, else a failure. */
export const switchCase: Container = {
  kind: 'container',
  plan: (context) => sequence(matchingCase(context) ?? tasksOf(context.task.defaults)),
  outputs: (context) => ({ value: switchValue(context), defaults: matchingCase(context) === undefined }),
  dead: (context) =>
    matchingCase(context) === undefined && (context.task.defaults ?? undefined) === undefined
      ? `No task found for the value "${switchValue(context)}": it matches no case and there are no defaults.`
      : undefined,
};
