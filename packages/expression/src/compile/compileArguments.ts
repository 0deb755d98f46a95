import type { Context, Evaluate } from '../context.ts';
import type { Signature, Values } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import type { Arguments, Expression } from '../syntax/nodes.ts';

const none: Values = [];

/** Puts arguments in the order of the declared names. Misuse fails when evaluated, as in the reference. */
export function compileArguments(
  callee: string,
  { names, variadic }: Signature,
  args: Arguments,
  compile: (expression: Expression) => Evaluate,
): (context: Context) => Values {
  const positional = args.positional.map(compile);
  if (variadic && args.named.length === 0) return evaluateAll(positional);
  const unknown = args.named.find(({ name }) => !names.includes(name));
  if (unknown) return fail(`The following named argument does not exist: ${unknown.name}`);
  if (names.length === 0) return () => none;
  if (positional.length > names.length) {
    return fail(`Too many arguments for ${callee}: it takes at most ${names.length} (${names.join(', ')})`);
  }
  const slots: (Evaluate | undefined)[] = [...positional];
  for (const { name, value } of args.named) slots[names.indexOf(name)] = compile(value);
  return evaluateAll(slots);
}

export function fail(message: string, kind: 'error' | 'unknown' = 'error'): () => never {
  return () => {
    throw new ExpressionError(message, kind);
  };
}

function evaluateAll(slots: readonly (Evaluate | undefined)[]): (context: Context) => Values {
  const [first, second] = slots;
  if (first === undefined && slots.length === 0) return () => none;
  if (slots.length === 1 && first) return (context) => [first(context)];
  if (slots.length === 2 && first && second) return (context) => [first(context), second(context)];
  return (context) => {
    const values: unknown[] = [];
    for (let index = 0; index < slots.length; index++) values.push(slots[index]?.(context));
    return values;
  };
}
