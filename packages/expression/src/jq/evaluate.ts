import { ExpressionError } from '../error.ts';
import type { Session } from '../session.ts';
import { plainMapOf } from '../values/kind.ts';
import { bindAny, bindPattern } from './bind.ts';
import { formatValue } from './formats.ts';
import { first, iterate, negate, plain } from './items.ts';
import type { Definition, Node } from './nodes.ts';
import { operate } from './operators.ts';
import { deletePaths, getPath, indexValue, type Path, setPath, sliceValue } from './paths.ts';
import {
  type Closure,
  findFunction,
  findLabel,
  findVariable,
  type Item,
  type Items,
  type Runner,
  type Scope,
} from './scope.ts';
import { describe, isTrue, JqError, toText } from './values.ts';

export type Native = (machine: Machine, args: readonly Closure[], input: Item) => Items;

class Break {
  readonly mark: object;

  constructor(mark: object) {
    this.mark = mark;
  }
}

const stepCost = 4;

/** Runs jq programs as generators: every expression yields any number of results, computed lazily. */
export class Machine implements Runner {
  readonly session: Session;
  readonly natives: ReadonlyMap<string, Native>;
  readonly library: ReadonlyMap<string, Definition>;

  constructor(
    session: Session,
    natives: ReadonlyMap<string, Native>,
    library: ReadonlyMap<string, Definition>,
  ) {
    this.session = session;
    this.natives = natives;
    this.library = library;
  }

  /** The plain values an argument yields for an input, outside of any path. */
  *values({ node, scope }: Closure, value: unknown): Generator<unknown, void, undefined> {
    for (const item of this.run(node, scope, { value, path: null })) yield item.value;
  }

  call({ node, scope }: Closure, input: Item): Items {
    return this.run(node, scope, input);
  }

  *run(node: Node, scope: Scope, input: Item): Items {
    this.session.charge(stepCost);
    switch (node.type) {
      case 'identity':
        yield input;
        return;
      case 'literal':
        yield plain(node.value);
        return;
      case 'pipe':
        for (const item of this.run(node.left, scope, input)) yield* this.run(node.right, scope, item);
        return;
      case 'comma':
        yield* this.run(node.left, scope, input);
        yield* this.run(node.right, scope, input);
        return;
      case 'index':
        yield* this.index(node, scope, input);
        return;
      case 'slice':
        yield* this.slice(node, scope, input);
        return;
      case 'iterate':
        for (const target of this.run(node.target, scope, input)) yield* iterate(target);
        return;
      case 'call':
        yield* this.callByName(node, scope, input);
        return;
      case 'variable':
        yield plain(findVariable(node.name, scope));
        return;
      case 'binary':
        for (const right of this.plainValues(node.right, scope, input)) {
          for (const left of this.plainValues(node.left, scope, input)) {
            yield plain(operate(node.operator, left, right, this.session));
          }
        }
        return;
      case 'if':
        for (const condition of this.plainValues(node.condition, scope, input)) {
          if (isTrue(condition)) yield* this.run(node.then, scope, input);
          else if (node.otherwise) yield* this.run(node.otherwise, scope, input);
          else yield input;
        }
        return;
      case 'and':
      case 'or':
        for (const left of this.plainValues(node.left, scope, input)) {
          if (isTrue(left) === (node.type === 'or')) yield plain(node.type === 'or');
          else for (const right of this.plainValues(node.right, scope, input)) yield plain(isTrue(right));
        }
        return;
      case 'alternative':
        yield* this.alternative(node.left, node.right, scope, input);
        return;
      case 'array':
        yield plain(node.body ? this.collect(node.body, scope, input) : []);
        return;
      case 'object':
        for (const entries of this.entries(node.entries, 0, scope, input)) yield plain(plainMapOf(entries));
        return;
      case 'text':
        for (const text of this.texts(node, 0, scope, input)) yield plain(text);
        return;
      case 'format':
        yield plain(formatValue(node.name, input.value, this.session));
        return;
      case 'negate':
        for (const value of this.plainValues(node.operand, scope, input)) yield plain(negate(value));
        return;
      case 'try':
        yield* this.tryRun(node, scope, input);
        return;
      case 'reduce':
        yield plain(this.reduce(node, scope, input));
        return;
      case 'foreach':
        yield* this.foreach(node, scope, input);
        return;
      case 'as':
        for (const value of this.plainValues(node.source, scope, input))
          yield* bindAny(this, node, value, scope, input);
        return;
      case 'def':
        yield* this.run(node.body, { type: 'function', definition: node.definition, outer: scope }, input);
        return;
      case 'assign':
        yield* this.assign(node, scope, input);
        return;
      case 'label': {
        const mark = {};
        try {
          yield* this.run(node.body, { type: 'label', name: node.name, mark, outer: scope }, input);
        } catch (error) {
          if (!(error instanceof Break) || error.mark !== mark) throw error;
        }
        return;
      }
      case 'break':
        throw new Break(findLabel(node.name, scope));
    }
  }

  *plainValues(node: Node, scope: Scope, input: Item): Generator<unknown, void, undefined> {
    for (const item of this.run(node, scope, { value: input.value, path: null })) yield item.value;
  }

  /** All paths an expression leads to. */
  *paths(node: Node, scope: Scope, value: unknown): Generator<Path, void, undefined> {
    for (const { path } of this.run(node, scope, { value, path: [] })) {
      if (path === null) throw new JqError('Invalid path expression');
      yield path;
    }
  }

  private collect(node: Node, scope: Scope, input: Item): unknown[] {
    const items: unknown[] = [];
    for (const value of this.plainValues(node, scope, input)) {
      items.push(value);
      this.session.checkItems(items.length);
    }
    return items;
  }

  private *index(node: Extract<Node, { type: 'index' }>, scope: Scope, input: Item): Items {
    for (const target of this.run(node.target, scope, input)) {
      for (const key of this.plainValues(node.key, scope, input)) {
        yield {
          value: indexValue(target.value, key, this.session),
          path: target.path && [...target.path, key],
        };
      }
    }
  }

  private *slice(node: Extract<Node, { type: 'slice' }>, scope: Scope, input: Item): Items {
    for (const target of this.run(node.target, scope, input)) {
      for (const end of node.to ? this.plainValues(node.to, scope, input) : [null]) {
        for (const start of node.from ? this.plainValues(node.from, scope, input) : [null]) {
          yield {
            value: sliceValue(target.value, start, end),
            path: target.path && [...target.path, { start, end }],
          };
        }
      }
    }
  }

  private *alternative(left: Node, right: Node, scope: Scope, input: Item): Items {
    let found = false;
    try {
      for (const item of this.run(left, scope, input)) {
        if (!isTrue(item.value)) continue;
        found = true;
        yield item;
      }
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
    }
    if (!found) yield* this.run(right, scope, input);
  }

  private *tryRun(node: Extract<Node, { type: 'try' }>, scope: Scope, input: Item): Items {
    const results = this.run(node.body, scope, input);
    for (;;) {
      let result: IteratorResult<Item, void>;
      // Only errors of the body are caught, not those of the consumer of its results.
      try {
        result = results.next();
      } catch (error) {
        if (!(error instanceof JqError)) throw error;
        if (node.handler) yield* this.run(node.handler, scope, { value: error.value, path: null });
        return;
      }
      if (result.done) return;
      yield result.value;
    }
  }

  private reduce(node: Extract<Node, { type: 'reduce' }>, scope: Scope, input: Item): unknown {
    let state: unknown = null;
    for (const start of this.plainValues(node.start, scope, input)) state = start;
    for (const value of this.plainValues(node.source, scope, input)) {
      for (const bound of bindPattern(this, node.pattern, value, scope, input)) {
        let next: unknown = null;
        for (const result of this.plainValues(node.update, bound, { value: state, path: null }))
          next = result;
        state = next;
      }
    }
    return state;
  }

  private *foreach(node: Extract<Node, { type: 'foreach' }>, scope: Scope, input: Item): Items {
    for (const start of this.plainValues(node.start, scope, input)) {
      let state = start;
      for (const value of this.plainValues(node.source, scope, input)) {
        for (const bound of bindPattern(this, node.pattern, value, scope, input)) {
          for (const result of this.plainValues(node.update, bound, { value: state, path: null })) {
            state = result;
            if (node.extract) yield* this.run(node.extract, bound, { value: state, path: null });
            else yield plain(state);
          }
        }
      }
    }
  }

  private *entries(
    entries: readonly (readonly [Node, Node])[],
    at: number,
    scope: Scope,
    input: Item,
  ): Generator<[string, unknown][], void, undefined> {
    const entry = entries[at];
    if (!entry) {
      yield [];
      return;
    }
    for (const key of this.plainValues(entry[0], scope, input)) {
      if (typeof key !== 'string') throw new JqError(`Object keys must be strings, not ${describe(key)}`);
      for (const value of this.plainValues(entry[1], scope, input)) {
        for (const rest of this.entries(entries, at + 1, scope, input)) yield [[key, value], ...rest];
      }
    }
  }

  private *texts(
    node: Extract<Node, { type: 'text' }>,
    at: number,
    scope: Scope,
    input: Item,
  ): Generator<string, void, undefined> {
    const part = node.parts[at];
    if (part === undefined) yield '';
    else if (typeof part === 'string') {
      for (const rest of this.texts(node, at + 1, scope, input)) yield part + rest;
    } else {
      for (const value of this.plainValues(part, scope, input)) {
        const text =
          node.format === null ? toText(value, this.session) : formatValue(node.format, value, this.session);
        this.session.checkText(text.length);
        for (const rest of this.texts(node, at + 1, scope, input)) yield text + rest;
      }
    }
  }

  private *assign(node: Extract<Node, { type: 'assign' }>, scope: Scope, input: Item): Items {
    const { operator, left, right } = node;
    if (operator === '|=') {
      yield plain(
        this.update(left, scope, input.value, (old) =>
          first(this.plainValues(right, scope, { value: old, path: null })),
        ),
      );
      return;
    }
    for (const value of this.plainValues(right, scope, input)) {
      const change = (old: unknown): { value: unknown } => {
        if (operator === '=') return { value };
        if (operator === '//=') return { value: isTrue(old) ? old : value };
        return { value: operate(operator.slice(0, -1), old, value, this.session) };
      };
      yield plain(this.update(left, scope, input.value, change));
    }
  }

  /** Replaces the value at every path; a path whose update yields nothing is deleted. */
  private update(
    target: Node,
    scope: Scope,
    value: unknown,
    change: (old: unknown) => { value: unknown } | null,
  ): unknown {
    let current = value;
    const emptied: Path[] = [];
    for (const path of [...this.paths(target, scope, value)]) {
      const changed = change(getPath(current, path, this.session));
      if (changed) current = setPath(current, path, changed.value, this.session);
      else emptied.push(path);
    }
    return emptied.length > 0 ? deletePaths(current, emptied, this.session) : current;
  }

  private *callByName(node: Extract<Node, { type: 'call' }>, scope: Scope, input: Item): Items {
    const found = findFunction(node.name, node.args.length, scope);
    if (found?.type === 'parameter') {
      yield* this.call(found.closure, input);
      return;
    }
    const args = node.args.map((arg) => ({ node: arg, scope }));
    const native = found ? undefined : this.natives.get(`${node.name}/${args.length}`);
    if (native) {
      yield* native(this, args, input);
      return;
    }
    const definition = found?.definition ?? this.library.get(`${node.name}/${args.length}`);
    if (!definition) throw new ExpressionError(`jq function ${node.name}/${args.length} is not defined`);
    yield* this.apply(definition, args, 0, found ?? { type: 'root' }, input);
  }

  /** Binds the parameters in order; a parameter `$x` is bound to each value of its argument. */
  private *apply(
    definition: Definition,
    args: readonly Closure[],
    at: number,
    scope: Scope,
    input: Item,
  ): Items {
    const parameter = definition.parameters[at];
    const closure = args[at];
    if (parameter === undefined || !closure) {
      yield* this.run(definition.body, scope, input);
      return;
    }
    if (!parameter.startsWith('$')) {
      yield* this.apply(
        definition,
        args,
        at + 1,
        { type: 'parameter', name: parameter, closure, outer: scope },
        input,
      );
      return;
    }
    for (const value of this.values(closure, input.value)) {
      const variable: Scope = { type: 'variable', name: parameter, value, outer: scope };
      const literal: Closure = { node: { type: 'literal', value }, scope };
      const own: Scope = { type: 'parameter', name: parameter.slice(1), closure: literal, outer: variable };
      yield* this.apply(definition, args, at + 1, own, input);
    }
  }
}
