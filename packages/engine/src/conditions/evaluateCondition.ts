import type { TriggerDefinition } from '@millrace/contract';
import { type ConditionType, conditionTypeOf } from './conditionType.ts';
import { type Condition, type ConditionContext, ConditionError, type Evaluate } from './context.ts';
import { dateTimeBetween } from './dateTimeBetween.ts';
import { dayWeek } from './dayWeek.ts';
import { dayWeekInMonth } from './dayWeekInMonth.ts';
import { executionFlow } from './executionFlow.ts';
import { executionLabels } from './executionLabels.ts';
import { executionNamespace } from './executionNamespace.ts';
import { executionOutputs } from './executionOutputs.ts';
import { executionStatus } from './executionStatus.ts';
import { expression } from './expression.ts';
import { flow, flowNamespace } from './flow.ts';
import { hasRetryAttempt } from './hasRetryAttempt.ts';
import { publicHoliday } from './publicHoliday.ts';
import { timeBetween } from './timeBetween.ts';
import { weekend } from './weekend.ts';

/** None of the inner conditions is true. */
const not: Evaluate = async (condition, context) => !(await anyHolds(condition, context));
/** At least one of the inner conditions is true. */
const or: Evaluate = (condition, context) => anyHolds(condition, context);

const rules: Readonly<Record<Exclude<ConditionType, 'Multiple'>, Evaluate>> = {
  DateTimeBetween: dateTimeBetween,
  DayWeek: dayWeek,
  DayWeekInMonth: dayWeekInMonth,
  Weekend: weekend,
  TimeBetween: timeBetween,
  PublicHoliday: publicHoliday,
  Expression: expression,
  Not: not,
  Or: or,
  ExecutionFlow: executionFlow,
  ExecutionNamespace: executionNamespace,
  ExecutionStatus: executionStatus,
  ExecutionLabels: executionLabels,
  ExecutionOutputs: executionOutputs,
  HasRetryAttempt: hasRetryAttempt,
  Flow: flow,
  FlowNamespace: flowNamespace,
};

/**
 * Whether a condition holds. Throws when it cannot be evaluated: an expression fails, or it needs an
 * execution and there is none. A MultipleCondition has state, so the flow trigger evaluates it.
 */
export async function evaluateCondition(condition: Condition, context: ConditionContext): Promise<boolean> {
  const type = conditionTypeOf(condition.type);
  const answer = type === undefined ? askHost(condition, context) : undefined;
  if (answer !== undefined) return answer;
  if (type === undefined || type === 'Multiple') {
    throw new ConditionError(`The condition "${condition.type}" cannot be evaluated here`);
  }
  return rules[type](condition, context);
}

/** A type that came with a plugin. */
function askHost(condition: Condition, { host, variables, flow, execution, date }: ConditionContext) {
  return host.holds?.(condition, {
    variables,
    flow: { namespace: flow.namespace, id: flow.id },
    ...(execution ? { execution: { ...execution } } : {}),
    ...(date ? { date: date.at } : {}),
  });
}

/** All conditions of a trigger must hold. */
export async function allHold(conditions: readonly Condition[], context: ConditionContext): Promise<boolean> {
  for (const condition of conditions) if (!(await evaluateCondition(condition, context))) return false;
  return true;
}

async function anyHolds(condition: Condition, context: ConditionContext): Promise<boolean> {
  for (const inner of conditionsOf(condition.conditions)) {
    if (await evaluateCondition(inner, context)) return true;
  }
  return false;
}

/**
 * All that must hold for a trigger to start an execution: its `conditions`, `scheduleConditions` (their
 * deprecated name on a schedule) and the expression of `when`.
 */
export function conditionsOfTrigger(trigger: TriggerDefinition): Condition[] {
  const { conditions, scheduleConditions, when } = trigger;
  return [
    ...conditionsOf(conditions),
    ...conditionsOf(scheduleConditions),
    ...(typeof when === 'string' ? [{ type: 'core.condition.Expression', expression: when }] : []),
  ];
}

/** The conditions of a list as written; anything else was refused when the flow was saved. */
export const conditionsOf = (value: unknown): Condition[] =>
  Array.isArray(value) ? value.filter(isCondition) : [];

export const isCondition = (value: unknown): value is Condition =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
