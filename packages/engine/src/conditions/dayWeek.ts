import { render } from '@millrace/expression';
import { type Evaluate, requireText } from './context.ts';
import { dateOf, weekdayOf } from './date.ts';

export const dayWeek: Evaluate = async (condition, context) => {
  const wanted = await render(requireText(condition, 'dayOfWeek'), context.variables, context.host);
  return weekdayOf(await dateOf(condition, context)) === wanted.trim().toUpperCase();
};
