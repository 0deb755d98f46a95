import type { TriggerDefinition } from '@millrace/contract';
import { conditionTypeOf } from '@millrace/engine';

/**
 * Whether a flow trigger uses the task runs of the execution that it reacts to: their attempts, or their
 * outputs and states in an expression. Conditions of plugins receive everything.
 */
export function needsTaskRuns(trigger: TriggerDefinition): boolean {
  const { conditions, when, preconditions, inputs, labels } = trigger;
  const written = JSON.stringify([conditions, when, preconditions, inputs, labels]);
  return usesTaskRuns.test(written) || conditionTypes(conditions).some(isOfPlugin);
}

/** `trigger.outputs` are those of the flow; variables that are rendered again may name anything. */
const usesTaskRuns = /HasRetryAttempt|(?<![\w.])(?:outputs|tasks)\b|\brender|printContext/;

const isOfPlugin = (type: string): boolean => conditionTypeOf(type) === undefined;

function conditionTypes(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(conditionTypes);
  if (typeof value !== 'object' || value === null) return [];
  const { type, conditions } = value as { type?: unknown; conditions?: unknown }; // any map may be asked for these
  const inner = Array.isArray(conditions) ? conditions : Object.values(conditions ?? {});
  return [...(typeof type === 'string' ? [type] : []), ...conditionTypes(inner)];
}
