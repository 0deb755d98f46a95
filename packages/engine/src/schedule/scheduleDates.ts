import type { TriggerDefinition } from '@millrace/contract';
import { type Host, renderDeep, type Variables } from '@millrace/expression';
import { parseDate } from '../conditions/date.ts';
import { hasExpression } from '../flow/subflowTarget.ts';
import { CronDates, requireZone } from './nextDate.ts';
import { triggerTypeOf } from './triggerType.ts';
import type { Zone } from './zone.ts';

/** The dates of a schedule, from a cron expression or a list. */
export interface ScheduleDates {
  readonly zone: Zone;
  /** The first date after an instant. */
  after(instant: number): number | undefined;
  /** The last date before an instant. */
  before(instant: number): number | undefined;
  /** The local time that a date stands for, when an offset change skips that time. */
  skippedTime?(date: number): number | undefined;
  /** True when dates in an hour that the clocks repeat come twice. */
  readonly followsClock?: boolean;
}

/** The dates of a Schedule or ScheduleOnDates trigger; undefined for every other. Throws when it is not valid. */
export function scheduleDates(trigger: TriggerDefinition, serverZone: string): ScheduleDates | undefined {
  if (hasUnrenderedDates(trigger)) return dueAtOnce(serverZone);
  const timezone = typeof trigger.timezone === 'string' ? trigger.timezone : serverZone;
  const zone = requireZone(timezone);
  switch (triggerTypeOf(trigger.type)) {
    case 'core.trigger.Schedule': {
      const dates = new CronDates(String(trigger.cron ?? ''), {
        timezone,
        withSeconds: trigger.withSeconds === true,
      });
      return {
        zone,
        after: (instant) => dates.after(instant),
        before: (instant) => dates.before(instant),
        skippedTime: (date) => dates.skippedTime(date),
        followsClock: dates.followsClock,
      };
    }
    case 'core.trigger.ScheduleOnDates':
      return listedDates(trigger.dates, zone);
    default:
      return undefined;
  }
}

/** True when the dates of a schedule, or their time zone, are expressions that must be rendered first. */
export function hasUnrenderedDates({ type, dates, timezone }: TriggerDefinition): boolean {
  const kind = triggerTypeOf(type);
  if (kind !== 'core.trigger.Schedule' && kind !== 'core.trigger.ScheduleOnDates') return false;
  const written = kind === 'core.trigger.ScheduleOnDates' && Array.isArray(dates) ? dates : [dates];
  return [timezone, ...written].some((value) => typeof value === 'string' && hasExpression(value));
}

/** Until the dates are rendered the trigger is due at once; the scheduler renders them when it evaluates the trigger. */
const dueAtOnce = (serverZone: string): ScheduleDates => ({
  zone: requireZone(serverZone),
  after: (instant) => instant + 1,
  before: () => undefined,
});

/** The schedule with its expressions rendered. Throws when the result is not a list of dates or not a time zone. */
export async function renderSchedule(
  trigger: TriggerDefinition,
  variables: Variables,
  host: Host,
): Promise<TriggerDefinition> {
  const { dates, timezone } = trigger;
  const rendered: unknown = await renderDeep({ dates, timezone }, variables, host);
  const { dates: texts, timezone: zone } = rendered as { dates: unknown; timezone: unknown };
  if (zone !== undefined) requireZone(String(zone));
  if (dates === undefined) return { ...trigger, timezone: zone };
  const list = dateList(texts);
  const wrong = list.find((date) => !parseDate(String(date), requireZone('UTC')));
  if (wrong !== undefined)
    throw new Error(
      `"dates" must hold dates such as 2025-01-31T10:00:00Z but rendered to ${JSON.stringify(wrong)}.`,
    );
  return { ...trigger, dates: list, ...(zone === undefined ? {} : { timezone: zone }) };
}

/** A list, the JSON of one, or a single date. An entry that renders to a list is replaced by its dates. */
function dateList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(dateList);
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return [value];
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) ? read : [value];
  } catch {
    return [value];
  }
}

function listedDates(written: unknown, zone: Zone): ScheduleDates {
  const dates = (Array.isArray(written) ? written : [])
    .flatMap((text) => parseDate(String(text), zone)?.at ?? [])
    .sort((a, b) => a - b);
  return {
    zone,
    after: (instant) => dates.find((date) => date > instant),
    before: (instant) => dates.findLast((date) => date < instant),
  };
}
