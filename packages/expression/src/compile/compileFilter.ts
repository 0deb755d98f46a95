import type { Context, Evaluate } from '../context.ts';
import type { Filter, Values } from '../definition.ts';
import { MissingError } from '../error.ts';
import { filters } from '../filters/index.ts';
import type { AppliedFilter, Expression } from '../syntax/nodes.ts';
import { classNameOf } from './className.ts';
import { compileArguments, fail } from './compileArguments.ts';

type Compile = (expression: Expression) => Evaluate;

export function compileFilter(node: Extract<Expression, { type: 'filter' }>, compile: Compile): Evaluate {
  const input = compile(node.input);
  const { line } = node;
  // Only the tree knows whether an integer was computed here (a long) or came from data (an int).
  if (node.name === 'className') return (context) => classNameOf(input(context), node.input);
  const apply = compileApplied(node, compile);
  if (node.name === 'default') {
    return (context) => {
      let value: unknown = null;
      try {
        value = input(context);
      } catch (error) {
        if (!(error instanceof MissingError)) throw error;
      }
      return apply(value, context);
    };
  }
  return (context) => {
    const value = input(context);
    context.line = line;
    return apply(value, context);
  };
}

/** The filter with its arguments, ready to take an input; also used by the `filter` tag. */
export function compileApplied(
  applied: AppliedFilter,
  compile: Compile,
): (input: unknown, context: Context) => unknown {
  const filter = filters.get(applied.name);
  if (!filter) return fail(`Filter [${applied.name}] does not exist.`, 'unknown');
  const args = compileArguments(applied.name, filter, applied.args, compile);
  return (input, context) => applyFilter(filter, input, args, context);
}

function applyFilter(
  filter: Filter,
  input: unknown,
  args: (context: Context) => Values,
  context: Context,
): unknown {
  context.session.charge(1);
  const values = args(context);
  return input === null && !filter.acceptsNull ? null : filter.run(input, values, context);
}
