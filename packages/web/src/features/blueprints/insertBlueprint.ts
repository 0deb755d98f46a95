import type { Path, Renames } from '@millrace/engine';
import { freeName } from '../forms/schema/index.ts';
import {
  editSource,
  isMap,
  isSameData,
  readElementText,
  readYamlData,
  valueAt,
} from '../forms/source/index.ts';
import {
  elementIds,
  type FlowText,
  fill,
  insertElement,
  type Part,
  placeholder,
  readFlowText,
  renameAll,
  renameText,
  type Slot,
} from '../graphEditor/edits/index.ts';

/*
 * Inserts a blueprint into the text of a flow. Its tasks go to the cursor; inputs, variables, triggers and the other
 * parts join those of the flow. Names that the flow uses already get a number, and expressions of the blueprint follow.
 * Elements keep their comments, and the text of the flow keeps every other byte.
 */
export interface Inserted {
  readonly source: string;
  /** The line of the first new task. */
  readonly line: number;
}

const lists = [
  'inputs',
  'outputs',
  'triggers',
  'errors',
  'finally',
  'afterExecution',
  'pluginDefaults',
  'sla',
  'checks',
];
const maps = ['variables', 'labels'];

/** Undefined while the text of the flow, or the blueprint, is not a readable flow. */
export function insertBlueprint(
  source: string,
  blueprint: string,
  cursor: string | undefined,
): Inserted | undefined {
  if (isEmptyText(source)) return { source: blueprint, line: 1 };
  const flow = readFlowText(source);
  const parts = readFlowText(blueprint);
  if (!flow || !parts) return undefined;
  const names = namesFor(flow, parts);
  let text = source;
  let slot = slotAt(flow, cursor);
  let first: string | undefined;
  for (const [index] of itemsOf(parts.data, 'tasks').entries()) {
    const added = insertTask(text, slot, parts, index, names);
    if (!added) return undefined;
    text = added.source;
    first ??= added.id;
    slot = { at: 'after', part: { kind: 'task', id: added.id } };
  }
  for (const list of lists) text = appendList(text, list, parts, names);
  for (const map of maps) text = mergeMap(text, map, parts, names);
  const line = text
    .split('\n')
    .findIndex((one) => new RegExp(`\\bid:\\s*["']?${first}["']?\\s*(#|$)`).test(one));
  return { source: text, line: line + 1 };
}

/** How many elements of each kind a blueprint has, in the words of the YAML. */
export function countParts(blueprint: string): { name: string; count: number }[] {
  const data = readYamlData(blueprint);
  return ['tasks', ...lists, ...maps].flatMap((name) => {
    const value = valueAt(data, [name]);
    const count = Array.isArray(value) ? value.length : isMap(value) ? Object.keys(value).length : 0;
    return count > 0 ? [{ name, count }] : [];
  });
}

/** Nothing but empty lines and comments. */
export const isEmptyText = (source: string): boolean => /^(\s*(#.*)?(\n|$))*$/.test(source);

/** The text of a blueprint under the id and namespace of the flow that it replaces. */
export function replaceWith(source: string, blueprint: string): string {
  const data = readYamlData(source);
  return ['id', 'namespace'].reduce((text, name) => {
    const value = valueAt(data, [name]);
    return typeof value === 'string' ? editSource(text, { kind: 'set', path: [name], value }) : text;
  }, blueprint);
}

interface Names {
  /** Tasks and triggers. */
  readonly ids: Renames;
  readonly inputs: Renames;
  readonly variables: Renames;
  /** Other names in the expressions of the blueprint. */
  change(text: string): string;
}

function namesFor(flow: FlowText, parts: FlowText): Names {
  const ids = new Map<string, string>();
  const taken = new Set(flow.ids);
  for (const id of elementIds(parts.data)) {
    const name = freeName(id, taken);
    taken.add(name);
    if (name !== id) ids.set(id, name);
  }
  const inputs = clashes(byId(flow.data, 'inputs'), byId(parts.data, 'inputs'), isSameInput);
  const variables = clashes(mapOf(flow.data, 'variables'), mapOf(parts.data, 'variables'), isSameData);
  return {
    ids,
    inputs,
    variables,
    change: (text) => renameMembers(renameMembers(text, 'inputs', inputs), 'vars', variables),
  };
}

type Named = ReadonlyMap<string, unknown>;

/** New names for what the flow has already under the same name, with another content. */
function clashes(has: Named, adds: Named, isSame: (a: unknown, b: unknown) => boolean): Renames {
  const taken = new Set([...has.keys(), ...adds.keys()]);
  const renames = new Map<string, string>();
  for (const [name, value] of adds) {
    if (!has.has(name) || isSame(has.get(name), value)) continue;
    const free = freeName(name, taken);
    taken.add(free);
    renames.set(name, free);
  }
  return renames;
}

/** Inputs of the same name and type are one input. */
const isSameInput = (a: unknown, b: unknown): boolean => valueAt(a, ['type']) === valueAt(b, ['type']);

const expression = /\{[{%].*?[%}]\}/gs;

/** `inputs.name` and `inputs["name"]` in the expressions of a text. */
function renameMembers(text: string, root: string, renames: Renames): string {
  if (renames.size === 0) return text;
  return text.replaceAll(expression, (part) => {
    let changed = part;
    for (const [from, to] of renames) {
      const name = from.replaceAll(/[^\w]/g, '\\$&');
      const member = new RegExp(`(\\b${root}\\s*(?:\\.\\s*|\\[\\s*["']))${name}(?![\\w-])`, 'g');
      changed = changed.replaceAll(member, (_, before: string) => before + to);
    }
    return changed;
  });
}

/** Behind the task that the cursor is in, otherwise behind the last task. */
function slotAt(flow: FlowText, cursor: string | undefined): Slot {
  const part: Part = { kind: 'task', id: cursor ?? '' };
  return flow.pathOf(part) ? { at: 'after', part } : { at: 'flow', branch: 'tasks' };
}

function insertTask(source: string, slot: Slot, parts: FlowText, index: number, names: Names) {
  const path: Path = ['tasks', index];
  const value = renameAll(valueAt(parts.data, path), names.ids, names.change);
  const inserted = insertElement(source, slot, placeholder);
  if (inserted === undefined) return undefined;
  const filled = fill(inserted, writtenAt(parts, path, names), value);
  const id = valueAt(value, ['id']);
  return filled === undefined || typeof id !== 'string' ? undefined : { source: filled, id };
}

function writtenAt(parts: FlowText, path: Path, names: Names) {
  const written = readElementText(parts.source, path);
  return written && { comments: written.comments, text: renameText(written, names.ids, names.change) };
}

function appendList(source: string, list: string, parts: FlowText, names: Names): string {
  return itemsOf(parts.data, list).reduce<string>((text, item, index) => {
    const known = itemsOf(readYamlData(text), list);
    const name = valueAt(item, ['id']);
    const isShared =
      list === 'inputs'
        ? typeof name === 'string' &&
          !names.inputs.has(name) &&
          known.some((one) => valueAt(one, ['id']) === name)
        : known.some((one) => isSameData(one, item));
    if (isShared) return text;
    const renames = list === 'inputs' ? names.inputs : names.ids;
    const value = renameInput(renameAll(item, names.ids, names.change), renames, list);
    const inserted = editSource(text, {
      kind: 'insert',
      path: [list],
      index: known.length,
      value: placeholder,
    });
    // The comments stay where only expressions changed.
    const written = isSameData(value, renameAll(item, names.ids, names.change))
      ? writtenAt(parts, [list, index], names)
      : undefined;
    return (
      fill(inserted, written, value) ??
      editSource(text, { kind: 'insert', path: [list], index: known.length, value })
    );
  }, source);
}

/** An input gets its new name; its type has no dot, so that it is no element with an id. */
const renameInput = (value: unknown, renames: Renames, list: string): unknown =>
  list === 'inputs' && isMap(value) ? { ...value, id: renames.get(String(value.id)) ?? value.id } : value;

function mergeMap(source: string, map: string, parts: FlowText, names: Names): string {
  const renames = map === 'variables' ? names.variables : undefined;
  return [...mapOf(parts.data, map)].reduce((text, [name, value]) => {
    const target = renames?.get(name) ?? name;
    // A label of the flow stays.
    if (mapOf(readYamlData(text), map).has(target)) return text;
    const changed = renameAll(value, names.ids, names.change);
    return editSource(text, { kind: 'set', path: [map, target], value: changed });
  }, source);
}

const itemsOf = (data: unknown, list: string): readonly unknown[] => {
  const items = valueAt(data, [list]);
  return Array.isArray(items) ? items : [];
};

const byId = (data: unknown, list: string): Named =>
  new Map(itemsOf(data, list).map((item) => [String(valueAt(item, ['id'])), item]));

function mapOf(data: unknown, map: string): Named {
  const value = valueAt(data, [map]);
  return new Map(isMap(value) ? Object.entries(value) : []);
}
