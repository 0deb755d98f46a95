import { type Filters, nameOf, optionalText, requireText } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import { negate } from '../numbers/arithmetic.ts';
import { formatNumber } from '../numbers/decimalFormat.ts';
import { isNumeric, type Numeric, toDouble } from '../numbers/number.ts';
import { parseNumber } from '../numbers/parseNumber.ts';
import { formatText } from '../numbers/printf.ts';

/** Filters on numbers, and from text to number and back. */
export const numberFilters: Filters = {
  abs: {
    names: [],
    acceptsNull: true,
    run: (input) => {
      const number = requireNumber(input, 'abs');
      return toDouble(number) < 0 ? negate(number) : number;
    },
  },
  number: {
    names: ['type'],
    run: (input, [type]) => {
      const text = requireText(input, 'The input of number');
      if (text.trim() === '') throw new ExpressionError('A blank text is not a number');
      return parseNumber(text, optionalText(type, 'The type of number'));
    },
  },
  numberFormat: {
    names: ['format'],
    run: (input, [format]) =>
      formatNumber(
        requireNumber(input, 'numberFormat'),
        optionalText(format, 'The format of numberFormat') ?? '#,##0.###',
      ),
  },
  format: {
    names: [],
    variadic: true,
    run: (input, args, { session }) => formatText(requireText(input, 'The input of format'), args, session),
  },
};

function requireNumber(value: unknown, filter: string): Numeric {
  if (!isNumeric(value)) throw new ExpressionError(`${filter} needs a number, found ${nameOf(value)}`);
  return value;
}
