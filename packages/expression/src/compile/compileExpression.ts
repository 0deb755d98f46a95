import type { Context, Evaluate } from '../context.ts';
import { ExpressionError } from '../error.ts';
import { calculate, negate } from '../numbers/arithmetic.ts';
import { isNumeric } from '../numbers/number.ts';
import type { Expression } from '../syntax/nodes.ts';
import { mapOf } from '../values/kind.ts';
import { concatText, javaText } from '../values/text.ts';
import { compileAttribute, compileMethod, compileVariable } from './compileAccess.ts';
import { compileBinary } from './compileBinary.ts';
import { compileCall } from './compileCall.ts';
import { compileFilter } from './compileFilter.ts';
import { compileTest } from './compileTest.ts';
import { truthOf } from './truth.ts';

/** Turns an expression into a closure. The parts it is made of are compiled once, here, and never again. */
export function compileExpression(expression: Expression): Evaluate {
  switch (expression.type) {
    case 'literal': {
      const { value } = expression;
      return () => value;
    }
    case 'variable':
      return compileVariable(expression.name, expression.line);
    case 'attribute':
      return compileAttribute(expression, compileExpression);
    case 'method':
      return compileMethod(expression, compileExpression);
    case 'binary':
      return compileBinary(expression, compileExpression);
    case 'filter':
      return compileFilter(expression, compileExpression);
    case 'test':
      return compileTest(expression, compileExpression);
    case 'call':
      return compileCall(expression, compileExpression);
    case 'list':
      return compileList(expression.items);
    case 'map':
      return compileMap(expression.entries);
    case 'interpolation':
      return compileInterpolation(expression.parts);
    case 'unary':
      return compileUnary(expression);
    case 'ternary': {
      const condition = compileExpression(expression.condition);
      const then = compileExpression(expression.then);
      const otherwise = compileExpression(expression.otherwise);
      return (context) => {
        const value = condition(context);
        return value !== null && truthOf(value, 'conditional expression')
          ? then(context)
          : otherwise(context);
      };
    }
  }
}

function compileUnary({ operator, operand }: Extract<Expression, { type: 'unary' }>): Evaluate {
  const value = compileExpression(operand);
  if (operator === 'not') {
    return (context) => {
      const answer = value(context);
      if (answer === null) throw new ExpressionError('null value given to not()');
      return !truthOf(answer, 'not()');
    };
  }
  if (operator === '-') return (context) => negate(value(context));
  return (context) => {
    const number = value(context);
    return isNumeric(number) ? number : calculate('+', 0, number);
  };
}

function compileList(items: readonly Expression[]): Evaluate {
  const values = items.map(compileExpression);
  return (context) => values.map((value) => value(context));
}

function compileMap(entries: readonly (readonly [Expression, Expression])[]): Evaluate {
  const pairs = entries.map(([key, value]) => [compileExpression(key), compileExpression(value)] as const);
  return (context) =>
    mapOf(pairs.map(([key, value]) => [javaText(key(context), context.session), value(context)]));
}

function compileInterpolation(parts: readonly (string | Expression)[]): Evaluate {
  const pieces = parts.map((part) => (typeof part === 'string' ? () => part : compileExpression(part)));
  return (context: Context) => {
    let text = '';
    for (const piece of pieces) text += concatText(piece(context), context.session);
    context.session.checkText(text.length);
    return text;
  };
}
