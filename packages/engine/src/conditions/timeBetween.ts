import { render } from '@millrace/expression';
import { type Condition, type ConditionContext, ConditionError, type Evaluate } from './context.ts';
import { type ConditionDate, dateOf, parseOffset } from './date.ts';

const day = 86_400_000;

/** Strictly between two times of day, each with an offset or in that of the date. */
export const timeBetween: Evaluate = async (condition, context) => {
  const { after, before } = condition;
  if (after === undefined && before === undefined) {
    throw new ConditionError(`The condition "${condition.type}" needs "after" or "before"`);
  }
  const date = await dateOf(condition, context);
  const offset = date.local - date.at;
  // As times of one and the same day, moved to UTC: the order of two offset times does not depend on the date.
  const time = (((date.local % day) + day) % day) - offset;
  if (after !== undefined && time <= (await readTime(after, offset, condition, context))) return false;
  return before === undefined || time < (await readTime(before, offset, condition, context));
};

async function readTime(
  template: unknown,
  offset: ConditionDate['at'],
  condition: Condition,
  context: ConditionContext,
): Promise<number> {
  const text = await render(String(template), context.variables, context.host);
  const found = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|z|[-+]\d{2}(?::?\d{2})?)?$/.exec(text.trim());
  if (!found) throw new ConditionError(`The condition "${condition.type}" cannot read the time "${text}"`);
  const local = ((Number(found[1]) * 60 + Number(found[2])) * 60 + Number(found[3] ?? 0)) * 1000;
  return local - (found[4] === undefined ? offset : parseOffset(found[4]));
}
