import { lazy } from '@millrace/expression';
import { conditionTypeOf } from '../conditions/conditionType.ts';
import type { Condition, ConditionContext } from '../conditions/context.ts';
import { allHold, evaluateCondition } from '../conditions/evaluateCondition.ts';
import { formatInZone } from './isoDate.ts';
import type { ScheduleDates } from './scheduleDates.ts';

const tenYears = 10 * 366 * 86_400_000;
/** Caps the search, because a schedule for every second has too many dates in ten years. */
const maxTries = 20_000;

/** These hold or fail for a whole day, so that the rest of a failing day need not be tried. */
const wholeDay: ReadonlySet<string> = new Set(['DayWeek', 'DayWeekInMonth', 'Weekend', 'PublicHoliday']);

/** The nearest date after (or before) a date at which all conditions hold; undefined within ten years. */
export async function findValidDate(
  dates: ScheduleDates,
  from: number,
  direction: 'after' | 'before',
  conditions: readonly Condition[],
  context: ConditionContext,
): Promise<number | undefined> {
  if (conditions.length === 0) return dates[direction](from);
  // Day by day first: they are cheap and leave little for the others.
  const ordered = conditions.toSorted((a, b) => Number(isWholeDay(b)) - Number(isWholeDay(a)));
  let date = dates[direction](from);
  for (let tries = 0; date !== undefined && tries < maxTries; tries += 1) {
    if (Math.abs(date - from) > tenYears) return undefined;
    const failing = await firstFailing(ordered, contextAt(date, dates, context));
    if (!failing) return date;
    const skipTo = isWholeDay(failing) ? edgeOfDay(date, direction, dates) : date;
    date = dates[direction](skipTo);
  }
  return undefined;
}

export const holdsAt = (
  date: number,
  dates: ScheduleDates,
  conditions: readonly Condition[],
  context: ConditionContext,
): Promise<boolean> => allHold(conditions, contextAt(date, dates, context));

/** Conditions see the date that is tried as `trigger.date`. */
const contextAt = (date: number, dates: ScheduleDates, context: ConditionContext): ConditionContext => ({
  ...context,
  variables: {
    ...context.variables,
    trigger: lazy(() => ({ date: formatInZone(date, dates.zone) })),
  },
  date: { at: date, zone: dates.zone },
});

async function firstFailing(
  conditions: readonly Condition[],
  context: ConditionContext,
): Promise<Condition | undefined> {
  for (const condition of conditions) if (!(await evaluateCondition(condition, context))) return condition;
  return undefined;
}

const isWholeDay = (condition: Condition): boolean =>
  condition.date === undefined && wholeDay.has(conditionTypeOf(condition.type) ?? '');

/** The last moment of a local day, or the first. Never behind the date itself, so that a search always moves on. */
function edgeOfDay(date: number, direction: 'after' | 'before', dates: ScheduleDates): number {
  const local = date + dates.zone.offsetAt(date);
  const midnight = local - (((local % day) + day) % day);
  const edge = direction === 'after' ? midnight + day - 1 : midnight;
  const instant = edge - dates.zone.offsetAt(edge - dates.zone.offsetAt(date));
  return direction === 'after' ? Math.max(instant, date) : Math.min(instant, date);
}

const day = 86_400_000;
