import { nameOf } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { isInteger } from '../numbers/number.ts';
import type { Session } from '../session.ts';

/** All steps from start to end, both included; integers or single characters. */
export function rangeOf(start: unknown, end: unknown, increment: unknown, session: Session): unknown[] {
  if (!isInteger(increment))
    throw new ExpressionError(`The increment of range must be an integer, found ${nameOf(increment)}`);
  const step = Number(increment);
  if (step === 0) throw new ExpressionError('The increment of range must not be 0');
  if (isInteger(start) && isInteger(end)) return countUp(Number(start), Number(end), step, session);
  if (typeof start === 'string' && typeof end === 'string' && start.length === 1 && end.length === 1) {
    const codes = countUp(start.charCodeAt(0), end.charCodeAt(0), step, session);
    return codes.map((code) => String.fromCharCode(code));
  }
  throw new ExpressionError(
    `range needs two integers or two characters, found ${nameOf(start)} and ${nameOf(end)}`,
  );
}

function countUp(start: number, end: number, step: number, session: Session): number[] {
  const count = Math.floor((end - start) / step) + 1;
  session.checkItems(count);
  session.charge(Math.max(0, count));
  return Array.from({ length: Math.max(0, count) }, (_, index) => start + index * step);
}
