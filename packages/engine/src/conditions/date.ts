import { render } from '@millrace/expression';
import type { Zone } from '../schedule/zone.ts';
import { type Condition, type ConditionContext, ConditionError } from './context.ts';

/** A moment with its local time. */
export interface ConditionDate {
  readonly at: number;
  /** Local time as milliseconds, as if the clock showed UTC. */
  readonly local: number;
}

const ofTrigger = '{{ trigger.date }}';

/** The date that a condition is about: `date`, by default that of the trigger. */
export function dateOf(
  condition: Condition,
  context: ConditionContext,
): ConditionDate | Promise<ConditionDate> {
  const template = typeof condition.date === 'string' ? condition.date : ofTrigger;
  if (template === ofTrigger && context.date) {
    const { at, zone } = context.date;
    return { at, local: at + zone.offsetAt(at) };
  }
  return renderDate(template, condition, context);
}

export async function renderDate(
  template: string,
  condition: Condition,
  context: ConditionContext,
): Promise<ConditionDate> {
  const text = await render(template, context.variables, context.host);
  const date = parseDate(text, context.zone);
  if (!date) throw new ConditionError(`The condition "${condition.type}" cannot read the date "${text}"`);
  return date;
}

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?)?(Z|z|[-+]\d{2}(?::?\d{2})?)?(?:\[[^\]]*\])?$/;

/** An ISO date or date-time; without an offset it is read in a zone. */
export function parseDate(text: string, zone: Zone): ConditionDate | undefined {
  const found = pattern.exec(text.trim());
  if (!found) return undefined;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '0', offset] = found;
  const local =
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) +
    Math.floor(Number(fraction) * 1000);
  if (offset !== undefined) return { at: local - parseOffset(offset), local };
  return { at: local - zone.offsetAt(local - zone.offsetAt(local)), local };
}

export function parseOffset(text: string): number {
  const found = /^([-+])(\d{2}):?(\d{2})?$/.exec(text);
  if (!found) return 0;
  const ms = (Number(found[2]) * 60 + Number(found[3] ?? 0)) * 60_000;
  return found[1] === '-' ? -ms : ms;
}

const weekdays = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

export const weekdayOf = (date: ConditionDate): string =>
  weekdays[new Date(date.local).getUTCDay()] ?? 'SUNDAY';
