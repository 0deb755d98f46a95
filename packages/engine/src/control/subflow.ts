import type { Label } from '@millrace/contract';
import type { Calling, ChildRequest, ControlContext } from './control.ts';
import { choiceOf, countOf, flagOf, mapOf, structureOf, textOf } from './tasks.ts';

/** One child execution of another flow. */
export const subflow: Calling = {
  kind: 'calling',
  requests: (context) => {
    settleFlags(context);
    return [{ ...childRequest(context), ...wantedOutputs(context) }];
  },
  waits,
  transmits,
  restarts,
  outputs: (_, [child]) =>
    child ? { executionId: child.executionId, state: child.state, ...given(child.outputs) } : {},
};

export function waits(context: ControlContext): boolean {
  return flagOf(context, 'wait', true);
}

export function transmits(context: ControlContext): boolean {
  return flagOf(context, 'transmitFailed', true);
}

export function restarts(context: ControlContext): boolean {
  return choiceOf(context, 'restartBehavior', ['RETRY_FAILED', 'NEW_EXECUTION']) === 'RETRY_FAILED';
}

/** Evaluates the flags before any child starts, so that later changes of variables do not affect them. */
export function settleFlags(context: ControlContext): void {
  waits(context);
  transmits(context);
  restarts(context);
}

/** The deprecated `outputs` of the task: rendered in the child's context, and only when its flow declares none. */
function wantedOutputs(context: ControlContext): Pick<ChildRequest, 'outputs'> {
  const { outputs } = context.task;
  if (!waits(context) || typeof outputs !== 'object' || outputs === null || Array.isArray(outputs)) return {};
  return { outputs: outputs as Readonly<Record<string, unknown>> };
}

const given = (outputs: unknown): { outputs?: unknown } => (outputs === undefined ? {} : { outputs });

/** The child execution that a calling task requests, rendered in the parent's context. */
export function childRequest(context: ControlContext): ChildRequest {
  const { task } = context;
  const scheduled = context.value('scheduleDate', task.scheduleDate);
  return {
    namespace: context.text('namespace', textOf(task.namespace)),
    flowId: context.text('flowId', textOf(task.flowId)),
    ...((task.revision ?? undefined) === undefined
      ? {}
      : { revision: countOf(context, 'revision', { fallback: 1, min: 1 }) }),
    inputs: mapOf(context, 'inputs'),
    labels: labelsOf(structureOf(context, 'labels')),
    inheritLabels: flagOf(context, 'inheritLabels', false),
    ...(typeof scheduled === 'string' ? { scheduledAt: Date.parse(scheduled) } : {}),
  };
}

/** A map or a list of `{key, value}`, as labels are written. */
export function labelsOf(value: unknown): readonly Label[] {
  if (typeof value === 'string')
    throw new Error(`The labels must be a map, a list or the JSON of one, but are "${value}".`);
  if (Array.isArray(value)) {
    return value.map((label: { key: unknown; value: unknown }) => ({
      key: textOf(label.key),
      value: textOf(label.value),
    }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, entry]) => ({ key, value: textOf(entry) }));
}
