import { render } from '@millrace/expression';
import { type ConditionContext, ConditionError, type Evaluate } from './context.ts';
import { dateOf } from './date.ts';

/** The host provides the holiday calendar; without one the condition cannot be evaluated. */
export const publicHoliday: Evaluate = async (condition, context) => {
  const { isPublicHoliday } = context.host;
  if (!isPublicHoliday) throw new ConditionError('Public holidays are not available on this server');
  const date = await dateOf(condition, context);
  const day = new Date(date.local).toISOString().slice(0, 10);
  const country = await optional(condition.country, context);
  return isPublicHoliday.call(context.host, day, country, await optional(condition.subDivision, context));
};

const optional = async (template: unknown, context: ConditionContext): Promise<string | undefined> =>
  typeof template === 'string' ? render(template, context.variables, context.host) : undefined;
