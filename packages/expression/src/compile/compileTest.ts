import type { Evaluate } from '../context.ts';
import { MissingError } from '../error.ts';
import type { Expression } from '../syntax/nodes.ts';
import { tests } from '../tests.ts';
import { compileArguments, fail } from './compileArguments.ts';

export function compileTest(
  node: Extract<Expression, { type: 'test' }>,
  compile: (expression: Expression) => Evaluate,
): Evaluate {
  const input = compile(node.input);
  const { negated } = node;
  if (node.name === 'defined') return (context) => isDefined(input, context) !== negated;
  const test = tests.get(node.name);
  if (!test) return fail(`Test [${node.name}] does not exist.`, 'unknown');
  const args = compileArguments(node.name, test, node.args, compile);
  return (context) => test.run(input(context), args(context), context) !== negated;
}

/** The only test that accepts a missing name. */
function isDefined(input: Evaluate, context: Parameters<Evaluate>[0]): boolean {
  try {
    return input(context) !== null;
  } catch (error) {
    if (error instanceof MissingError) return false;
    throw error;
  }
}
