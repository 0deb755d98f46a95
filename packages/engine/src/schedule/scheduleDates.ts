import type { TriggerDefinition } from '@millrace/contract';
import { parseDate } from '../conditions/date.ts';
import { CronDates, requireZone } from './nextDate.ts';
import { triggerTypeOf } from './triggerType.ts';
import type { Zone } from './zone.ts';

/** The dates of a schedule, whatever they come from. */
export interface ScheduleDates {
  readonly zone: Zone;
  /** The first date after an instant. */
  after(instant: number): number | undefined;
  /** The last date before an instant. */
  before(instant: number): number | undefined;
}

/** The dates of a Schedule or ScheduleOnDates trigger; undefined for every other. Throws when it is not valid. */
export function scheduleDates(trigger: TriggerDefinition, serverZone: string): ScheduleDates | undefined {
  const timezone = typeof trigger.timezone === 'string' ? trigger.timezone : serverZone;
  const zone = requireZone(timezone);
  switch (triggerTypeOf(trigger.type)) {
    case 'core.trigger.Schedule': {
      const dates = new CronDates(String(trigger.cron ?? ''), {
        timezone,
        withSeconds: trigger.withSeconds === true,
      });
      return { zone, after: (instant) => dates.after(instant), before: (instant) => dates.before(instant) };
    }
    case 'core.trigger.ScheduleOnDates':
      return listedDates(trigger.dates, zone);
    default:
      return undefined;
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
