import { ConditionError, type Evaluate } from './context.ts';
import { dateOf, renderDate } from './date.ts';

/** Strictly after the one and strictly before the other; at least one of them is given. */
export const dateTimeBetween: Evaluate = async (condition, context) => {
  const { after, before } = condition;
  if (after === undefined && before === undefined) {
    throw new ConditionError(`The condition "${condition.type}" needs "after" or "before"`);
  }
  const date = await dateOf(condition, context);
  if (after !== undefined && date.at <= (await renderDate(String(after), condition, context)).at)
    return false;
  return before === undefined || date.at < (await renderDate(String(before), condition, context)).at;
};
