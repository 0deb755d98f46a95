import type { Evaluate } from '../context.ts';
import { ExpressionError, MissingError } from '../error.ts';
import { rangeOf } from '../functions/range.ts';
import { calculate } from '../numbers/arithmetic.ts';
import type { BinaryOperator, Expression } from '../syntax/nodes.ts';
import { areEqual } from '../values/equal.ts';
import { add, concatenate, contains, isIn, order, subtract } from './operators.ts';
import { truthOf } from './truth.ts';

export function compileBinary(
  node: Extract<Expression, { type: 'binary' }>,
  compile: (expression: Expression) => Evaluate,
): Evaluate {
  return combine(node.operator, compile(node.left), compile(node.right));
}

function combine(operator: BinaryOperator, left: Evaluate, right: Evaluate): Evaluate {
  switch (operator) {
    case '??':
      return (context) => unlessMissing(left, context) ?? right(context);
    case '???':
      return (context) => {
        const value = unlessMissing(left, context);
        return value === undefined ? right(context) : value;
      };
    case '..':
      return (context) => rangeOf(left(context), right(context), 1, context.session);
    case 'isIn':
      return (context) => isIn(left(context), right(context), context);
    case '~':
      return (context) => concatenate(left(context), right(context), context);
    case '+':
      return (context) => add(left(context), right(context), context);
    case '-':
      return (context) => subtract(left(context), right(context), context);
    case '*':
    case '/':
    case '%':
      return (context) => calculate(operator, left(context), right(context));
    case '==':
      return (context) => areEqual(left(context), right(context), context.session);
    case '!=':
      return (context) => !areEqual(left(context), right(context), context.session);
    case '>':
      return (context) => order(left(context), right(context)) > 0;
    case '<':
      return (context) => order(left(context), right(context)) < 0;
    case '>=':
      return (context) => order(left(context), right(context)) >= 0;
    case '<=':
      return (context) => order(left(context), right(context)) <= 0;
    case 'contains':
      return (context) => contains(left(context), right(context), context);
    case 'and':
      return (context) => operandOf(left(context), 'and') && operandOf(right(context), 'and');
    case 'or':
      return (context) => operandOf(left(context), 'or') || operandOf(right(context), 'or');
  }
}

/** Undefined when the expression names something that does not exist; any other error is thrown again. */
function unlessMissing(evaluate: Evaluate, context: Parameters<Evaluate>[0]): unknown {
  try {
    return evaluate(context);
  } catch (error) {
    if (error instanceof MissingError) return undefined;
    throw error;
  }
}

function operandOf(value: unknown, operator: string): boolean {
  if (value === null) throw new ExpressionError(`null value given to ${operator}`);
  return truthOf(value, operator);
}
