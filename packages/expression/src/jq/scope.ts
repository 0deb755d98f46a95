import { ExpressionError } from '../error.ts';
import type { Session } from '../session.ts';
import type { Definition, Node } from './nodes.ts';
import type { Path } from './paths.ts';

/** A value in a program; in a path expression also its path. */
export interface Item {
  readonly value: unknown;
  readonly path: Path | null;
}

export type Items = Generator<Item, void, undefined>;

/** A function argument: code together with the scope it was written in. */
export interface Closure {
  readonly node: Node;
  readonly scope: Scope;
}

/** Runs the nodes of a program. */
export interface Runner {
  readonly session: Session;
  run(node: Node, scope: Scope, input: Item): Items;
  plainValues(node: Node, scope: Scope, input: Item): Generator<unknown, void, undefined>;
}

/** Names in scope, innermost first. A function knows the scope it was defined in. */
export type Scope =
  | { readonly type: 'variable'; readonly name: string; readonly value: unknown; readonly outer: Scope }
  | { readonly type: 'function'; readonly definition: Definition; readonly outer: Scope }
  | { readonly type: 'parameter'; readonly name: string; readonly closure: Closure; readonly outer: Scope }
  | { readonly type: 'label'; readonly name: string; readonly mark: object; readonly outer: Scope }
  | { readonly type: 'root' };

export function findVariable(name: string, scope: Scope): unknown {
  for (let at = scope; at.type !== 'root'; at = at.outer)
    if (at.type === 'variable' && at.name === name) return at.value;
  // Templates must not read the environment of the process.
  if (name === '$ENV') return {};
  if (name === '$__loc__') return { file: '<top-level>', line: 1 };
  throw new ExpressionError(`jq variable ${name} is not defined`);
}

export function findLabel(name: string, scope: Scope): object {
  for (let at = scope; at.type !== 'root'; at = at.outer)
    if (at.type === 'label' && at.name === name) return at.mark;
  throw new ExpressionError(`jq label ${name} is not defined`);
}

export function findFunction(
  name: string,
  arity: number,
  scope: Scope,
): Extract<Scope, { type: 'function' | 'parameter' }> | null {
  for (let at = scope; at.type !== 'root'; at = at.outer) {
    if (at.type === 'parameter' && arity === 0 && at.name === name) return at;
    if (at.type === 'function' && at.definition.name === name && at.definition.parameters.length === arity)
      return at;
  }
  return null;
}
