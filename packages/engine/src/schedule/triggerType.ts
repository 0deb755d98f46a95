import { shortType } from '../flow/typeName.ts';

/** The triggers whose rules the engine itself knows. */
export const triggerTypes = [
  'core.trigger.Schedule',
  'core.trigger.ScheduleOnDates',
  'core.trigger.Webhook',
  'core.trigger.Flow',
] as const;
export type TriggerType = (typeof triggerTypes)[number];

const oldPrefix = 'io.kestra.core.models.triggers.types.';

export function triggerTypeOf(type: string): TriggerType | undefined {
  const short = type.startsWith(oldPrefix) ? `core.trigger.${type.slice(oldPrefix.length)}` : shortType(type);
  return triggerTypes.find((known) => known === short);
}
