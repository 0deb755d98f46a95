import { fixedAttributes, variableNames } from '../check/checkVariable.ts';
import type { TemplateScope } from '../check/flowTemplates.ts';
import { propertiesOf, shapeAt } from '../check/outputShape.ts';
import { runOrder } from '../check/runOrder.ts';
import { hasLoopValue, isValueLoop, loopsAround, type TaskPlace } from '../check/taskPlaces.ts';
import { isData } from '../flow/read/fields.ts';
import { shortType } from '../flow/typeName.ts';
import { type LanguageContext, shapesOf } from './context.ts';
import { variableDocs } from './docs/variables.ts';
import type { FlowDocument } from './document.ts';

/** A name that may follow a variable, with what is known about it. */
export interface Member {
  readonly name: string;
  readonly detail?: string;
  readonly description?: string;
  /** Written in place of the dot: `[taskrun.value]`. */
  readonly isComputed?: boolean;
}

interface Reading {
  readonly document: FlowDocument;
  readonly scope: TemplateScope | undefined;
  readonly context: LanguageContext;
  /** The expression is about the recorded execution: the tasks that have outputs are those of that execution. */
  readonly isRecorded?: boolean;
}

/** The variables that an expression can read in its place. */
export function variablesIn({ scope }: Pick<Reading, 'scope'>): Member[] {
  const place = scope?.kind === 'task' ? scope.place : undefined;
  const hidden = new Set<string>(['workerTaskrun', 'schedule']);
  if (scope && !place) for (const name of ['taskrun', 'task', 'parent', 'parents']) hidden.add(name);
  if (place && !place.parent) for (const name of ['parent', 'parents']) hidden.add(name);
  if (!place || loopsAround(place).length === 0) hidden.add('item');
  return variableNames
    .filter((name) => !hidden.has(name))
    .map((name) => ({ name, description: variableDocs[name] ?? '' }));
}

/** What can be read from a variable after some steps. */
export function membersOf(path: readonly string[], reading: Reading): Member[] {
  const [root = '', ...keys] = path;
  const known = ownMembers(root, keys, reading);
  const seen = new Set(known.map(({ name }) => name));
  const before = valueAt(reading.context.lastExecution?.variables, path);
  // The task ids of an execution say nothing about where its outputs can be read.
  const isTaskList = root === 'outputs' && keys.length === 0 && reading.isRecorded !== true;
  const recorded = (isData(before) && !isTaskList ? Object.keys(before) : [])
    .filter((name) => !seen.has(name))
    .map((name) => ({ name, detail: describeValue(before, name) }));
  if (!reading.isRecorded || !isData(before)) return [...known, ...recorded];
  const hasValue = ({ name }: Member) => Object.hasOwn(before, name);
  return [...known.filter(hasValue), ...recorded, ...known.filter((one) => !hasValue(one))];
}

/** The positions in a list of the last execution. */
export function indexesOf(path: readonly string[], { lastExecution }: LanguageContext): Member[] {
  const list = valueAt(lastExecution?.variables, path);
  return Array.isArray(list)
    ? list
        .slice(0, mostIndexes)
        .map((_, at) => ({ name: String(at), detail: describeValue(list, String(at)) }))
    : [];
}

const mostIndexes = 20;

function ownMembers(root: string, keys: readonly string[], reading: Reading): Member[] {
  const { document, scope, context } = reading;
  const { flow, places } = document;
  switch (root) {
    case 'inputs':
      return nested(
        (flow.inputs ?? []).map(({ id, type, description, displayName }) => ({
          id,
          detail: type,
          description: description ?? displayName ?? '',
        })),
        keys,
      );
    case 'vars':
      return keysOf(valueAt(flow.variables, keys)).map((name) => ({
        name,
        detail: describeValue(valueAt(flow.variables, keys), name),
      }));
    case 'labels': {
      const labels = [...(flow.labels ?? []).map(({ key }) => key), ...(context.labels ?? [])];
      return nested(
        [...new Set(labels)].map((id) => ({ id })),
        keys,
      );
    }
    case 'outputs':
      return keys.length === 0 ? readableTasks(reading) : outputMembers(keys, reading);
    case 'tasks':
      if (keys.length === 0) return places.all.map(({ task }) => ({ name: task.id, detail: task.type }));
      return keys.length === 1 ? [{ name: 'state', detail: 'text' }] : [];
    case 'trigger':
      return triggerMembers(keys, reading);
    case 'taskrun':
      return keys.length === 0 ? taskRunMembers(scope) : [];
    case 'parent':
      if (keys.length === 0) return [{ name: 'taskrun' }, { name: 'outputs' }];
      return keys.length === 1 && keys[0] === 'taskrun' ? [{ name: 'value', detail: 'text' }] : [];
    case 'kestra':
      return keys.length === 0 ? [{ name: 'environment' }, { name: 'url' }] : [];
    default:
      return keys.length === 0 ? (fixedAttributes[root] ?? []).map((name) => ({ name })) : [];
  }
}

/** The tasks whose outputs exist when the expression is rendered, the nearest first. */
function readableTasks({ document, scope }: Reading): Member[] {
  const { all } = document.places;
  const reader = scope?.kind === 'task' ? scope.place : undefined;
  const readable = all.filter(
    (other) => other.task.disabled !== true && (!reader || runOrder(reader, other) === 'before'),
  );
  return readable.reverse().map(({ task }) => ({ name: task.id, detail: shortType(task.type) }));
}

function outputMembers([id = '', ...keys]: readonly string[], reading: Reading): Member[] {
  const place = reading.document.places.byId.get(id);
  if (!place || place.task.id !== id) return [];
  const loops = loopsAround(place);
  const reader = reading.scope?.kind === 'task' ? reading.scope.place : undefined;
  if (keys.length < loops.length) return loopKey(keys.length, loops, reader);
  const schema = shapesOf(reading.context)(place.task.type)?.outputs;
  return schemaMembers(schema, keys.slice(loops.length));
}

/** How the outputs of one iteration are chosen. */
function loopKey(index: number, loops: readonly TaskPlace[], reader: TaskPlace | undefined): Member[] {
  if (!reader || !loopsAround(reader).includes(loops[index] as TaskPlace)) return [];
  const isOwn = index === loops.length - 1 && hasLoopValue(reader);
  const name = isOwn ? '[taskrun.value]' : '[parent.taskrun.value]';
  return [{ name, isComputed: true, description: 'The outputs of this iteration.' }];
}

function triggerMembers(keys: readonly string[], { document, context }: Reading): Member[] {
  const found = new Map<string, Member>();
  for (const { type } of document.flow.triggers ?? [])
    for (const member of schemaMembers(shapesOf(context)(type)?.outputs, keys))
      if (!found.has(member.name)) found.set(member.name, member);
  return [...found.values()];
}

function schemaMembers(schema: unknown, keys: readonly string[]): Member[] {
  const at = shapeAt(
    schema,
    keys.map((key) => ({ key })),
  );
  return Object.entries(propertiesOf(at) ?? {}).map(([name, property]) => {
    const { type, description } = isData(property) ? property : {};
    return {
      name,
      ...(typeof type === 'string' && { detail: type }),
      ...(typeof description === 'string' && { description }),
    };
  });
}

function taskRunMembers(scope: TemplateScope | undefined): Member[] {
  const place = scope?.kind === 'task' ? scope.place : undefined;
  const hidden = new Set<string>();
  if (place && !hasLoopValue(place)) hidden.add('value');
  if (place && !isValueLoop(place.parent) && place.control !== 'core.flow.ForEachItem')
    hidden.add('iteration');
  if (place?.control !== 'core.flow.ForEachItem') hidden.add('items');
  return (fixedAttributes.taskrun ?? []).filter((name) => !hidden.has(name)).map((name) => ({ name }));
}

interface Named {
  readonly id: string;
  readonly detail?: string;
  readonly description?: string;
}

/** Ids with dots are read level by level. */
function nested(all: readonly Named[], keys: readonly string[]): Member[] {
  const prefix = keys.map((key) => `${key}.`).join('');
  const found = new Map<string, Member>();
  for (const { id, ...about } of all) {
    if (!id.startsWith(prefix)) continue;
    const [name = '', ...rest] = id.slice(prefix.length).split('.');
    if (name !== '' && !found.has(name)) found.set(name, rest.length === 0 ? { name, ...about } : { name });
  }
  return [...found.values()];
}

const keysOf = (value: unknown): string[] => (isData(value) ? Object.keys(value) : []);

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isData(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}

/** A value in one short line. */
function describeValue(holder: unknown, name: string): string {
  const value = valueAt(holder, [name]);
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
