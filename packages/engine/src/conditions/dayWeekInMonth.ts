import { render } from '@millrace/expression';
import { ConditionError, type Evaluate, requireText } from './context.ts';
import { dateOf, weekdayOf } from './date.ts';

const ordinals = ['FIRST', 'SECOND', 'THIRD', 'FOURTH'];
const week = 7 * 86_400_000;

/** The first, second, third, fourth or last Monday (or other day) of a month. */
export const dayWeekInMonth: Evaluate = async (condition, context) => {
  const wanted = await render(requireText(condition, 'dayOfWeek'), context.variables, context.host);
  const which = (
    await render(requireText(condition, 'dayInMonth'), context.variables, context.host)
  ).toUpperCase();
  const date = await dateOf(condition, context);
  if (weekdayOf(date) !== wanted.trim().toUpperCase()) return false;
  const local = new Date(date.local);
  if (which === 'LAST') return new Date(date.local + week).getUTCMonth() !== local.getUTCMonth();
  const index = ordinals.indexOf(which);
  if (index === -1) throw new ConditionError(`"${which}" is not one of ${ordinals.join(' ')} LAST`);
  return Math.floor((local.getUTCDate() - 1) / 7) === index;
};
