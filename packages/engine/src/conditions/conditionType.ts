import { shortType } from '../flow/typeName.ts';

/** The conditions that the engine evaluates. */
export const conditionTypes = [
  'DateTimeBetween',
  'DayWeek',
  'DayWeekInMonth',
  'Weekend',
  'TimeBetween',
  'PublicHoliday',
  'Expression',
  'Not',
  'Or',
  'ExecutionFlow',
  'ExecutionNamespace',
  'ExecutionStatus',
  'ExecutionLabels',
  'ExecutionOutputs',
  'HasRetryAttempt',
  'Flow',
  'FlowNamespace',
  'Multiple',
] as const;
export type ConditionType = (typeof conditionTypes)[number];

const prefixes = ['core.condition.', 'io.kestra.core.models.conditions.types.'];

/** `core.condition.DayWeek`, its form with the suffix `Condition` and the older names are all `DayWeek`. */
export function conditionTypeOf(type: string): ConditionType | undefined {
  const short = shortType(type);
  const prefix = prefixes.find((candidate) => short.startsWith(candidate));
  if (prefix === undefined) return undefined;
  const name = short.slice(prefix.length).replace(/Condition$/, '');
  if (name === 'Variable') return 'Expression';
  return conditionTypes.find((known) => known === name);
}
