import { nameOf } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { isNumeric, toDouble } from '../numbers/number.ts';

/** Boolean, number (0 and NaN are false) or text (empty is false); any other value is an error. */
export function truthOf(value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value !== '';
  if (isNumeric(value)) {
    const number = toDouble(value);
    return number !== 0 && !Number.isNaN(number);
  }
  throw new ExpressionError(
    `Wrong operand(s) type in ${where}: ${nameOf(value)} is neither boolean, number nor text`,
  );
}
