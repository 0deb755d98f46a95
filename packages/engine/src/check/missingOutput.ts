import type { Step } from '@millrace/expression';
import { missingStep } from './outputShape.ts';
import { type UseProblem, unknownName } from './useProblem.ts';

/** The step of an output that its schema rules out, in words. */
export function describeMissing(
  id: string,
  schema: Readonly<Record<string, unknown>>,
  steps: readonly Step[],
): UseProblem[] {
  const missing = missingStep(schema, steps);
  const step = missing && steps[missing.index];
  if (!missing || step?.key === undefined) return [];
  const path = steps.slice(0, missing.index).map(({ key }) => `.${key ?? '[…]'}`);
  if (missing.plain)
    return [
      {
        message: `Output "${path.join('').slice(1)}" of task "${id}" is a ${missing.plain} and has no property "${step.key}"`,
        start: step.start,
        end: step.end,
      },
    ];
  const message =
    missing.index === 0
      ? missing.names.length === 0
        ? `Task "${id}" has no outputs`
        : `Task "${id}" has no output "${step.key}"`
      : `Output "${path.join('').slice(1)}" of task "${id}" has no property "${step.key}"`;
  return [unknownName(step, message, step.key, missing.names)];
}
