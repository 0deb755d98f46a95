import type { Evaluate } from './context.ts';
import { dateOf, weekdayOf } from './date.ts';

export const weekend: Evaluate = async (condition, context) => {
  const day = weekdayOf(await dateOf(condition, context));
  return day === 'SATURDAY' || day === 'SUNDAY';
};
