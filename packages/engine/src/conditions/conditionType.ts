import { shortType } from '../flow/typeName.ts';

/** The conditions that the engine evaluates; `schedule` marks those that need no execution. */
export const conditionTypes = {
  DateTimeBetween: { schedule: true },
  DayWeek: { schedule: true },
  DayWeekInMonth: { schedule: true },
  Weekend: { schedule: true },
  TimeBetween: { schedule: true },
  PublicHoliday: { schedule: true },
  Expression: { schedule: true },
  Not: { schedule: true },
  Or: { schedule: true },
  ExecutionFlow: { schedule: false },
  ExecutionNamespace: { schedule: false },
  ExecutionStatus: { schedule: false },
  ExecutionLabels: { schedule: false },
  ExecutionOutputs: { schedule: false },
  HasRetryAttempt: { schedule: false },
  Flow: { schedule: true },
  FlowNamespace: { schedule: true },
  Multiple: { schedule: false },
} as const;
export type ConditionType = keyof typeof conditionTypes;

const prefixes = ['core.condition.', 'io.kestra.core.models.conditions.types.'];

/** `core.condition.DayWeek`, its form with the suffix `Condition` and the older names are all `DayWeek`. */
export function conditionTypeOf(type: string): ConditionType | undefined {
  const short = shortType(type);
  const prefix = prefixes.find((candidate) => short.startsWith(candidate));
  if (prefix === undefined) return undefined;
  const name = short.slice(prefix.length).replace(/Condition$/, '');
  if (name === 'Variable') return 'Expression';
  return isConditionType(name) ? name : undefined;
}

const isConditionType = (name: string): name is ConditionType => Object.hasOwn(conditionTypes, name);
