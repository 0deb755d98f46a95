import { ExpressionError } from '../../error.ts';
import { deletePaths, getPath, type Path, setPath } from '../paths.ts';
import type { Item, Items } from '../scope.ts';
import { isTrue, JqError, numberOf } from '../values.ts';
import { type Natives, withArgument, withTwoArguments } from './native.ts';

const maxNesting = 100_000;

/** Functions that decide what runs, how often, and where values are found. */
export const flowNatives: Natives = {
  'empty/0': function* run() {},
  // biome-ignore lint/correctness/useYield: it always fails
  'error/0': function* run(_machine, _args, { value }) {
    throw new JqError(value);
  },
  'path/1': function* run(machine, [target], { value }) {
    if (target)
      for (const path of machine.paths(target.node, target.scope, value)) yield { value: path, path: null };
  },
  'getpath/1': function* run(machine, [target], input) {
    if (!target) return;
    for (const path of machine.values(target, input.value)) {
      const keys = requirePath(path);
      yield {
        value: getPath(input.value, keys, machine.session),
        path: input.path && [...input.path, ...keys],
      };
    }
  },
  'setpath/2': withTwoArguments((value, path, replacement, session) =>
    setPath(value, requirePath(path), replacement, session),
  ),
  'delpaths/1': withArgument((value, paths, session) => {
    if (!Array.isArray(paths)) throw new JqError('Paths must be specified as an array');
    return deletePaths(value, paths.map(requirePath), session);
  }),
  'recurse/1': function* run(machine, [next], input) {
    if (next) yield* unfold(input, (item) => machine.call(next, item));
  },
  'repeat/1': function* run(machine, [next], input) {
    if (next) yield* unfold(input, (item) => machine.call(next, item));
  },
  'while/2': function* run(machine, [condition, next], input) {
    if (!condition || !next) return;
    const holds = (item: Item) => [...machine.values(condition, item.value)].some(isTrue);
    if (!holds(input)) return;
    yield* unfold(input, function* expand(item) {
      for (const found of machine.call(next, item)) if (holds(found)) yield found;
    });
  },
  'until/2': function* run(machine, [condition, next], input) {
    if (!condition || !next) return;
    const pending: Iterator<Item>[] = [[input].values()];
    while (pending.length > 0) {
      const step = pending.at(-1)?.next();
      if (!step || step.done) pending.pop();
      else if ([...machine.values(condition, step.value.value)].some(isTrue)) yield step.value;
      else push(pending, machine.call(next, step.value));
    }
  },
  'first/1': function* run(machine, [source], input) {
    if (!source) return;
    for (const item of machine.call(source, input)) {
      yield item;
      return;
    }
  },
  'last/1': function* run(machine, [source], input) {
    if (!source) return;
    let last: Item | null = null;
    for (const item of machine.call(source, input)) last = item;
    if (last) yield last;
  },
  'limit/2': function* run(machine, [count, source], input) {
    if (!count || !source) return;
    for (const limit of machine.values(count, input.value))
      yield* take(machine.call(source, input), numberOf(limit));
  },
  'any/2': function* run(machine, [source, condition], input) {
    if (source && condition) yield { value: some(machine, source, condition, input, true), path: null };
  },
  'all/2': function* run(machine, [source, condition], input) {
    if (source && condition) yield { value: !some(machine, source, condition, input, false), path: null };
  },
  'range/3': function* run(machine, [from, to, by], { value }) {
    if (!from || !to || !by) return;
    for (const start of machine.values(from, value)) {
      for (const end of machine.values(to, value)) {
        for (const step of machine.values(by, value))
          yield* count(machine, numberOf(start), numberOf(end), numberOf(step));
      }
    }
  },
};

type Machine = Parameters<Natives[string]>[0];
type Closure = Parameters<Natives[string]>[1][number];

/** Depth first, with an explicit stack: a chain of a thousand steps does not nest a thousand generators. */
function* unfold(start: Item, expand: (item: Item) => Items): Items {
  yield start;
  const pending: Iterator<Item>[] = [expand(start)];
  while (pending.length > 0) {
    const step = pending.at(-1)?.next();
    if (!step || step.done) pending.pop();
    else {
      yield step.value;
      push(pending, expand(step.value));
    }
  }
}

function push(pending: Iterator<Item>[], next: Iterator<Item>): void {
  if (pending.length >= maxNesting)
    throw new ExpressionError(`The jq program repeats more than ${maxNesting} times`, 'limit');
  pending.push(next);
}

function* take(items: Items, count: number): Items {
  if (!(count > 0)) return;
  let left = count;
  for (const item of items) {
    yield item;
    if (--left <= 0) return;
  }
}

function some(machine: Machine, source: Closure, condition: Closure, input: Item, wanted: boolean): boolean {
  for (const value of machine.values(source, input.value)) {
    for (const answer of machine.values(condition, value)) if (isTrue(answer) === wanted) return true;
  }
  return false;
}

function* count(machine: Machine, start: number, end: number, step: number): Items {
  if (Number.isNaN(start) || Number.isNaN(end) || Number.isNaN(step))
    throw new JqError('Range bounds must be numeric');
  if (step === 0 && start < end) throw new ExpressionError('A range with step 0 never ends', 'limit');
  for (let at = start; step > 0 ? at < end : at > end; at += step) {
    machine.session.charge(1);
    yield { value: at, path: null };
  }
}

function requirePath(path: unknown): Path {
  if (!Array.isArray(path)) throw new JqError('Path must be specified as an array');
  return path;
}
