import type { Node, Pattern } from './nodes.ts';
import { indexValue } from './paths.ts';
import type { Item, Items, Runner, Scope } from './scope.ts';
import { JqError } from './values.ts';

/** Tries the patterns in order; when the body fails, the next one is tried. */
export function* bindAny(
  machine: Runner,
  node: Extract<Node, { type: 'as' }>,
  value: unknown,
  scope: Scope,
  input: Item,
): Items {
  const names = node.patterns.length > 1 ? node.patterns.flatMap(variablesOf) : [];
  const empty = names.reduce<Scope>((outer, name) => ({ type: 'variable', name, value: null, outer }), scope);
  for (const [index, pattern] of node.patterns.entries()) {
    try {
      for (const bound of bindPattern(machine, pattern, value, empty, input))
        yield* machine.run(node.body, bound, input);
      return;
    } catch (error) {
      if (!(error instanceof JqError) || index === node.patterns.length - 1) throw error;
    }
  }
}

export function* bindPattern(
  machine: Runner,
  pattern: Pattern,
  value: unknown,
  scope: Scope,
  input: Item,
): Generator<Scope, void, undefined> {
  if (pattern.type === 'variable') {
    yield { type: 'variable', name: pattern.name, value, outer: scope };
    return;
  }
  if (pattern.type === 'array') {
    yield* bindItems(machine, pattern.items, 0, value, scope, input);
    return;
  }
  yield* bindEntries(machine, pattern, 0, value, scope, input);
}

function* bindItems(
  machine: Runner,
  items: readonly Pattern[],
  at: number,
  value: unknown,
  scope: Scope,
  input: Item,
): Generator<Scope, void, undefined> {
  const item = items[at];
  if (!item) yield scope;
  else {
    for (const bound of bindPattern(machine, item, indexValue(value, at, machine.session), scope, input)) {
      yield* bindItems(machine, items, at + 1, value, bound, input);
    }
  }
}

function* bindEntries(
  machine: Runner,
  pattern: Extract<Pattern, { type: 'object' }>,
  at: number,
  value: unknown,
  scope: Scope,
  input: Item,
): Generator<Scope, void, undefined> {
  const entry = pattern.entries[at];
  if (!entry) {
    yield scope;
    return;
  }
  for (const key of machine.plainValues(entry.key, scope, input)) {
    const inner = indexValue(value, key, machine.session);
    const own: Scope =
      entry.variable === null
        ? scope
        : { type: 'variable', name: entry.variable, value: inner, outer: scope };
    const scopes = entry.value ? bindPattern(machine, entry.value, inner, own, input) : [own];
    for (const bound of scopes) yield* bindEntries(machine, pattern, at + 1, value, bound, input);
  }
}

export function variablesOf(pattern: Pattern): string[] {
  if (pattern.type === 'variable') return [pattern.name];
  if (pattern.type === 'array') return pattern.items.flatMap(variablesOf);
  return pattern.entries.flatMap(({ variable, value }) => [
    ...(variable === null ? [] : [variable]),
    ...(value ? variablesOf(value) : []),
  ]);
}
