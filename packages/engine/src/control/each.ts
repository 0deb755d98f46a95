import type { Container, ControlContext } from './control.ts';
import { perPair, perValue } from './plan.ts';
import { countOf, tasksOf } from './tasks.ts';

/** ForEach: at most `concurrencyLimit` values at a time (0: all); the tasks of one value run in order. */
export const forEach: Container = {
  kind: 'container',
  plan: (context) =>
    perValue(
      loopValues(context, context.task.values),
      tasksOf(context.task.tasks),
      countOf(context, 'concurrencyLimit', { fallback: 1, min: 0 }),
    ),
};

export const eachSequential: Container = {
  kind: 'container',
  plan: (context) => perValue(loopValues(context, context.task.value), tasksOf(context.task.tasks), 1),
};

export const eachParallel: Container = {
  kind: 'container',
  plan: (context) =>
    perPair(
      loopValues(context, context.task.value),
      tasksOf(context.task.tasks),
      countOf(context, 'concurrent', { fallback: 0, min: 0 }),
    ),
};

/** The values as text, each once, in their order. A list of texts, numbers or maps, or an expression giving one. */
export function loopValues(context: ControlContext, source: unknown): readonly string[] {
  const list =
    typeof source === 'string' ? listFrom(context.text('values', source)) : context.value('values', source);
  if (!Array.isArray(list))
    throw new Error(`The loop values must be a list, but are ${shorten(JSON.stringify(list ?? null))}.`);
  const missing = list.filter((value) => value === null || value === undefined).length;
  if (missing > 0) {
    throw new Error(
      `The loop values hold ${missing} null value${missing > 1 ? 's' : ''}: ${shorten(JSON.stringify(list))}.`,
    );
  }
  const values = new Set(list.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
  // Only the playground sets it: a task inside the loop runs for one value.
  return context.task.firstValueOnly === true ? [...values].slice(0, 1) : [...values];
}

function listFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`The loop values must be a JSON list, but the expression gives: ${shorten(text)}`, {
      cause,
    });
  }
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
