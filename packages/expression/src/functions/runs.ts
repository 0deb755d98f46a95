import type { Context } from '../context.ts';
import { type Fns, requireInteger, requireText } from '../definition.ts';
import { ExpressionError, MissingError } from '../error.ts';
import { entriesOf, isMap, itemsOf, readAttribute } from '../values/kind.ts';
import { concatText, javaText } from '../values/text.ts';

/** Functions on the run an expression is evaluated in: its loops, its tasks, its outputs. */
export const runFunctions: Fns = {
  currentEachOutput: {
    names: ['outputs'],
    required: 1,
    run: ([outputs], context) => {
      const own = readPath(context, 'taskrun', 'value');
      const values = [...ancestorValues(context), ...(own === undefined ? [] : [own])];
      return walk(outputs ?? null, values, context);
    },
  },
  iterationOutput: {
    names: ['taskId', 'iteration'],
    run: ([taskId, iteration], context) => iterationOutput(taskId, iteration, context),
  },
  parentOutput: { names: ['index'], run: ([index], context) => parentOutput(index, context) },
  loopOutputs: {
    names: ['outputs', 'name'],
    required: 2,
    run: ([outputs, name], context) =>
      collectOutputs(outputs ?? null, requireText(name, 'The name of loopOutputs'), context),
  },
  tasksWithState: {
    names: ['state'],
    required: 1,
    run: ([state], context) => tasksWithState(requireText(state, 'The state').toUpperCase(), context),
  },
};

/** The values of the loops around the task, outermost first. */
function ancestorValues(context: Context): unknown[] {
  return ancestors(context)
    .map((ancestor) => readAttribute(readAttribute(ancestor, 'taskrun') ?? null, 'value'))
    .filter((value) => value !== undefined)
    .reverse();
}

/** Nearest first, as the variable has them. */
function ancestors(context: Context): readonly unknown[] {
  return itemsOf(context.lookup('parents')) ?? [];
}

function walk(start: unknown, keys: readonly unknown[], context: Context): unknown {
  return keys.reduce<unknown>((value, key) => {
    const inner = readAttribute(value, concatText(key, context.session));
    if (inner === undefined) throw new MissingError(concatText(key, context.session), context.line);
    return inner;
  }, start);
}

function iterationOutput(taskId: unknown, iteration: unknown, context: Context): unknown {
  const own = readPath(context, 'taskrun', 'value');
  const counter = readPath(context, 'taskrun', 'iteration');
  if (own === undefined && counter === undefined)
    throw new ExpressionError('iterationOutput() works inside of a loop only');
  const task = taskId === undefined || taskId === null ? readPath(context, 'task', 'id') : taskId;
  const outputs = walk(context.lookup('outputs') ?? null, [task, ...ancestorValues(context)], context);
  const rounds = entriesOf(outputs) ?? [];
  const index =
    iteration === undefined || iteration === null
      ? previousRound(rounds, own, counter, context)
      : requireInteger(iteration, 'The iteration');
  const output = rounds[index]?.[1];
  if (output === undefined) throw new MissingError(`iteration ${index}`, context.line);
  return walk(output, ['value'], context);
}

/** The index before the current iteration, which is at its value or after the finished ones. */
function previousRound(
  rounds: readonly (readonly [string, unknown])[],
  own: unknown,
  counter: unknown,
  context: Context,
): number {
  if (own === undefined) return requireInteger(counter, 'taskrun.iteration') - 1;
  const found = rounds.findIndex(([key]) => key === concatText(own, context.session));
  return (found < 0 ? rounds.length : found) - 1;
}

/** Without an index the direct parent; with one, counted from the outermost ancestor. */
function parentOutput(index: unknown, context: Context): unknown {
  const list = ancestors(context);
  const position =
    index === undefined || index === null ? 0 : list.length - 1 - requireInteger(index, 'The index');
  const ancestor = list[position];
  if (ancestor === undefined) throw new ExpressionError('parentOutput() found no such parent');
  const outputs = readAttribute(ancestor, 'outputs');
  if (outputs !== undefined && outputs !== null) return outputs;
  const task = readAttribute(readAttribute(ancestor, 'task') ?? null, 'id');
  if (task === undefined) throw new ExpressionError('The parent has no outputs');
  const around = list
    .slice(position)
    .map((each) => readAttribute(readAttribute(each, 'taskrun') ?? null, 'value'));
  return walk(
    context.lookup('outputs') ?? null,
    [task, ...around.filter((value) => value !== undefined).reverse()],
    context,
  );
}

function collectOutputs(outputs: unknown, name: string, context: Context, depth = 0): unknown[] {
  context.session.checkDepth(depth);
  return (entriesOf(outputs) ?? []).flatMap(([, round]) => {
    context.session.charge(1);
    const value = readAttribute(round, name);
    if (value !== undefined) return [value];
    return isMap(round) ? collectOutputs(round, name, context, depth + 1) : [];
  });
}

function tasksWithState(state: string, context: Context): unknown[] {
  const matches = (value: unknown) => javaText(value, context.session).toUpperCase() === state;
  return (entriesOf(context.lookup('tasks')) ?? []).flatMap(([taskId, task]) => {
    const own = readAttribute(task, 'state');
    if (own !== undefined && !isMap(own)) return matches(own) ? [{ taskId, state: own }] : [];
    return (entriesOf(task) ?? []).flatMap(([value, run]) => {
      const inner = readAttribute(run, 'state');
      return inner !== undefined && matches(inner) ? [{ taskId, state: inner, value }] : [];
    });
  });
}

function readPath(context: Context, root: string, key: string): unknown {
  const value = readAttribute(context.lookup(root) ?? null, key);
  return value === null ? undefined : value;
}
