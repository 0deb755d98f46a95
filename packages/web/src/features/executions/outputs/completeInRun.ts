import type { Execution } from '@millrace/contract';
import { type Completion, completeExpression } from '../../expressions/index.ts';

/** What an execution knows, as expressions name it. */
export interface KnownValues {
  /** The shape of the flow, for names that have no value yet. */
  readonly flow: unknown;
  /** Called when a value is completed: collecting the values of thousands of task runs takes time. */
  values(): Readonly<Record<string, unknown>>;
  readonly filters: readonly string[];
  readonly functions: readonly string[];
}

/** A path that ends at the cursor: `outputs.load["a b"].ro`. */
const pathAtEnd = /([A-Za-z_]\w*)((?:\.[\w-]+|\[(?:"[^"]*"|'[^']*'|\d+)\])*)(\.|\[["']?)([\w -]*)$/;
const pathPart = /\.([\w-]+)|\["([^"]*)"\]|\['([^']*)'\]|\[(\d+)\]/g;
const filterAtEnd = /\|\s*(\w*)$/;
const wordAtEnd = /(?:^|[^\w.\]"'|-])(\w*)$/;
const mostCompletions = 60;

/**
 * The completions of an expression in an execution: its real values, however deep, then the names of its flow, functions
 * and, behind a `|`, filters. A text without braces is one expression.
 */
export function completeInRun(before: string, known: KnownValues): readonly Completion[] {
  const isBare = !/\{\{|\{%/.test(before);
  const start = before.lastIndexOf('{{');
  if (!isBare && (start < 0 || before.indexOf('}}', start) >= 0)) return [];
  const inside = isBare ? before : before.slice(start + 2);
  const filter = filterAtEnd.exec(inside);
  if (filter) return named(known.filters, filter[1] ?? '', before);
  const path = pathAtEnd.exec(inside);
  const found = path && valuesAt(path, known.values(), before);
  if (found && found.length > 0) return found;
  const names = completeExpression(isBare ? `{{ ${before}` : before, known.flow).map((one) =>
    isBare ? { ...one, from: one.from - 3 } : one,
  );
  const word = path ? undefined : wordAtEnd.exec(inside)?.[1];
  if (word === undefined || word === '') return names;
  const functions = named(known.functions, word, before).map((one) => ({ ...one, insert: `${one.insert}(` }));
  return [...names, ...functions].slice(0, mostCompletions);
}

/** A text that is not a template yet is an expression. */
export const asTemplate = (text: string): string => (/\{\{|\{%/.test(text) ? text : `{{ ${text} }}`);

function valuesAt(
  [, root = '', middle = '', sign = '', begun = '']: RegExpExecArray,
  values: Readonly<Record<string, unknown>>,
  before: string,
): Completion[] {
  let at = partOf(values, root);
  for (const [, name, double, single, index] of middle.matchAll(pathPart))
    at = partOf(at, name ?? double ?? single ?? index ?? '');
  if (typeof at !== 'object' || at === null) return [];
  const isList = Array.isArray(at);
  const from = before.length - begun.length - sign.length;
  return startingWith(Object.keys(at), begun).map((name) => ({
    label: name,
    from,
    insert: /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : isList ? `[${name}]` : `[${JSON.stringify(name)}]`,
  }));
}

const named = (names: readonly string[], begun: string, before: string): Completion[] =>
  startingWith(names, begun)
    .filter((name) => name !== begun)
    .map((name) => ({ label: name, insert: name, from: before.length - begun.length }));

const startingWith = (names: readonly string[], begun: string): readonly string[] =>
  names.filter((name) => name.toLowerCase().startsWith(begun.toLowerCase())).slice(0, mostCompletions);

const partOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key] // Has it, as the line above checked.
    : undefined;

/** The values of an execution under the names that expressions use; the task of a loop has one map per value. */
export function valuesOf({ inputs, variables, trigger, labels, taskRunList = [] }: Execution) {
  const outputs: Record<string, unknown> = {};
  const byValue = new Map<string, Record<string, unknown>>();
  for (const { taskId, value, outputs: own } of taskRunList) {
    if (own === null || Object.keys(own).length === 0) continue;
    if (value === undefined) {
      outputs[taskId] = own;
      continue;
    }
    let values = byValue.get(taskId);
    if (!values) {
      values = { ...(partOf(outputs, taskId) as object | undefined) }; // The outputs of a task run.
      byValue.set(taskId, values);
      outputs[taskId] = values;
    }
    values[value] = own;
  }
  return {
    outputs,
    inputs: inputs ?? {},
    vars: variables ?? {},
    trigger: trigger?.variables ?? {},
    labels: Object.fromEntries(labels.map(({ key, value }) => [key, value])),
  };
}
