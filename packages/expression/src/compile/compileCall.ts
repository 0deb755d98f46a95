import { type Context, type Evaluate, type Macro, Scope } from '../context.ts';
import { ExpressionError } from '../error.ts';
import { functions } from '../functions/index.ts';
import type { Arguments, Expression } from '../syntax/nodes.ts';
import { compileArguments, fail } from './compileArguments.ts';

type Compile = (expression: Expression) => Evaluate;

/** A call reaches a function or, if there is none of that name, a macro of the template. */
export function compileCall(node: Extract<Expression, { type: 'call' }>, compile: Compile): Evaluate {
  const { name, line } = node;
  const fn = functions.get(name);
  if (!fn) return compileMacroCall(name, node.args, compile);
  const args = compileArguments(name, fn, node.args, compile);
  return (context) => {
    const values = args(context);
    context.line = line;
    context.session.charge(1);
    const result = fn.run(values, context);
    return result === undefined ? null : result;
  };
}

/** The macro is resolved during evaluation, because it may be defined after its use. */
function compileMacroCall(name: string, args: Arguments, compile: Compile): Evaluate {
  const positional = args.positional.map(compile);
  const named = args.named.map((argument) => [argument.name, compile(argument.value)] as const);
  const unknown = fail(`Function or Macro [${name}] does not exist.`, 'unknown');
  return (context) => {
    const macro = context.template.macros.get(name);
    if (!macro) return unknown();
    context.session.charge(1);
    const values = bindParameters(name, macro, positional, named, context);
    return context.nest(() => runMacro(macro, values, context));
  };
}

function bindParameters(
  name: string,
  { parameters }: Macro,
  positional: readonly Evaluate[],
  named: readonly (readonly [string, Evaluate])[],
  context: Context,
): Map<string, unknown> {
  if (positional.length > parameters.length)
    throw new ExpressionError(`Too many arguments for the macro ${name}`);
  const values = new Map<string, unknown>();
  for (const [key, value] of named) {
    if (!parameters.some((parameter) => parameter.name === key)) {
      throw new ExpressionError(`The following named argument does not exist: ${key}`);
    }
    values.set(key, value(context));
  }
  parameters.forEach((parameter, index) => {
    const given = positional[index];
    if (given) values.set(parameter.name, given(context));
    else if (!values.has(parameter.name)) values.set(parameter.name, parameter.fallback?.(context) ?? null);
  });
  return values;
}

function runMacro(macro: Macro, values: Map<string, unknown>, context: Context): string {
  const { scope } = context;
  const own = new Scope(null, true);
  for (const [key, value] of values) own.values.set(key, value);
  context.scope = own;
  try {
    return context.capture(macro.body);
  } finally {
    context.scope = scope;
  }
}
