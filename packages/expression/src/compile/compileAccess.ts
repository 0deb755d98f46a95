import type { Evaluate } from '../context.ts';
import { MissingError } from '../error.ts';
import type { Expression } from '../syntax/nodes.ts';
import { isPlainMap, itemsOf, readAttribute } from '../values/kind.ts';
import { concatText } from '../values/text.ts';
import { compileArguments } from './compileArguments.ts';
import { callMethod } from './methods.ts';

type Compile = (expression: Expression) => Evaluate;

export function compileVariable(name: string, line: number): Evaluate {
  return (context) => {
    const value = context.lookup(name);
    if (value === undefined) throw new MissingError(name, line);
    return value;
  };
}

export function compileAttribute(
  node: Extract<Expression, { type: 'attribute' }>,
  compile: Compile,
): Evaluate {
  const target = compile(node.target);
  const { line } = node;
  // A null that came straight from a variable is reported by the name of the variable.
  const root = node.target.type === 'variable' ? node.target.name : null;
  if (node.key.type === 'literal' && typeof node.key.value === 'string') {
    const key = node.key.value;
    return (context) => {
      const holder = target(context);
      const value = isPlainMap(holder)
        ? Object.hasOwn(holder, key)
          ? holder[key]
          : undefined
        : readNamed(holder, key);
      if (value === undefined) throw new MissingError(holder === null && root !== null ? root : key, line);
      return value;
    };
  }
  const key = compile(node.key);
  return (context) => {
    const holder = target(context);
    const name = key(context);
    const value = readAttribute(holder, name);
    if (value !== undefined) return value;
    throw new MissingError(holder === null && root !== null ? root : concatText(name, context.session), line);
  };
}

export function compileMethod(node: Extract<Expression, { type: 'method' }>, compile: Compile): Evaluate {
  const target = compile(node.target);
  const args = compileArguments(node.name, { names: [], variadic: true }, node.args, compile);
  const { name, line } = node;
  return (context) => {
    const result = callMethod(target(context), name, args(context), context);
    if (result === undefined) throw new MissingError(name, line);
    return result;
  };
}

/** `list.size` is the one attribute that is not data. */
function readNamed(holder: unknown, key: string): unknown {
  const value = readAttribute(holder, key);
  return value === undefined && key === 'size' ? itemsOf(holder)?.length : value;
}
