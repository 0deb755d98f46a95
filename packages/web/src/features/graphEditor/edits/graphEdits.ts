import type { Path } from '@millrace/engine';
import {
  type ElementText,
  editSource,
  isMap,
  isSameData,
  readElementText,
  readYamlData,
  replaceElementText,
  valueAt,
} from '../../forms/source/index.ts';
import { type FlowText, isDag, itemsAt, readFlowText, standingOf } from './flowText.ts';
import { type Part, type Slot, kindOf as slotKind } from './slot.ts';

/*
 * Edits of a flow's text, as the graph makes them. Each takes a text and returns the new one, or undefined when the
 * text does not allow the edit. Lines that an edit is not about keep every byte; a moved element takes its comments along.
 */

/** Inserts a new element into a slot. */
export function insertElement(
  source: string,
  slot: Slot,
  element: Readonly<Record<string, unknown>>,
): string | undefined {
  const text = readFlowText(source);
  const target = text && resolve(text, slot);
  if (!text || !target) return undefined;
  const { list, index, links } = target;
  const value = links ? { task: element, ...dependsOn(links.from) } : element;
  const inserted = editSource(source, { kind: 'insert', path: list, index, value });
  if (!links?.to) return inserted;
  const { from, to } = links;
  return editDependencies(inserted, list, (id, known) =>
    id === to ? [...known.filter((other) => !from.includes(other)), String(element.id)] : known,
  );
}

/** Moves an element with its comments into a slot, also into another list. */
export function moveElement(source: string, part: Part, slot: Slot): string | undefined {
  const text = readFlowText(source);
  const path = text?.pathOf(part);
  const target = text && resolve(text, slot);
  if (!text || !path || !target || !canMove(text, part, slot)) return undefined;
  const { list, index, isInDag } = standingOf(path);
  if (!target.links && !isInDag && isSamePath(list, target.list)) {
    const to = target.index > index ? target.index - 1 : target.index;
    return to === index ? source : editSource(source, { kind: 'move', path: list, from: index, to });
  }
  const written = readElementText(source, path);
  const value = valueAt(text.data, path);
  const inserted = insertElement(source, slot, placeholder);
  const removed = inserted === undefined ? undefined : removeElement(inserted, part);
  const filled = removed === undefined ? undefined : fill(removed, written, value);
  // Dependencies that named the placeholder name the task again.
  return filled === undefined ? undefined : renameDependency(filled, placeholder.id, part.id);
}

/** Whether a slot takes the element: not inside itself, and of its kind. */
export function canMove(text: FlowText, part: Part, slot: Slot): boolean {
  const path = text.pathOf(part);
  const target = resolve(text, slot);
  if (!path || !target || slotKind(slot) !== part.kind) return false;
  if (slot.at === 'link' && (slot.from === part.id || slot.to === part.id)) return false;
  const isInside = target.list.length >= path.length && path.every((step, at) => step === target.list[at]);
  return !isInside;
}

/** Removes an element. The tasks of a Dag that depended on it depend on its dependencies. */
export function removeElement(source: string, part: Part): string | undefined {
  const text = readFlowText(source);
  const path = text?.pathOf(part);
  if (!text || !path) return undefined;
  const { list, index, isInDag } = standingOf(path);
  const items = itemsAt(text.data, list);
  const bridged = isInDag
    ? editDependencies(source, list, bridge(part.id, dependenciesOf(items[index])))
    : source;
  // An empty list of tasks stays: the container is still there to be filled.
  if (items.length === 1 && list.at(-1) === 'tasks')
    return editSource(bridged, { kind: 'set', path: list, value: [] });
  return editSource(bridged, { kind: 'set', path: [...list, index] });
}

/** Removes several elements; those that went with another one are gone already. */
export function removeElements(source: string, parts: readonly Part[]): string {
  return parts.reduce((text, part) => removeElement(text, part) ?? text, source);
}

/** Replaces a container with the tasks inside it, in their order. */
export function unwrapElement(source: string, id: string, children: readonly string[]): string | undefined {
  let text: string | undefined = source;
  for (const child of children) {
    if (text === undefined) return undefined;
    text = moveElement(text, { kind: 'task', id: child }, { at: 'before', part: { kind: 'task', id } });
  }
  return text === undefined ? undefined : removeElement(text, { kind: 'task', id });
}

export function setElementDisabled(source: string, part: Part, isDisabled: boolean): string | undefined {
  const path = readFlowText(source)?.pathOf(part);
  if (!path) return undefined;
  return editSource(source, {
    kind: 'set',
    path: [...path, 'disabled'],
    value: isDisabled || undefined,
    order: ['id', 'type', 'disabled'],
  });
}

interface Target {
  readonly list: Path;
  readonly index: number;
  /** Inside a Dag: what the new task depends on, and the task that then depends on it. */
  readonly links?: { readonly from: readonly string[]; readonly to?: string };
}

/** Where a slot is in the text. */
export function resolve(text: FlowText, slot: Slot): Target | undefined {
  const { data } = text;
  switch (slot.at) {
    case 'flow':
      return { list: [slot.branch], index: itemsAt(data, [slot.branch]).length };
    case 'inside': {
      const path = text.pathOf({ kind: 'task', id: slot.id });
      if (!path) return undefined;
      const list = [...path, ...slot.branch];
      const isFree = isDag(String(valueAt(data, [...path, 'type']))) && slot.branch[0] === 'tasks';
      return { list, index: itemsAt(data, list).length, ...(isFree && { links: { from: [] } }) };
    }
    case 'link':
      return resolveLink(text, slot);
    default: {
      const path = text.pathOf(slot.part);
      if (!path) return undefined;
      const { list, index, isInDag } = standingOf(path);
      const at = slot.at === 'before' ? index : index + 1;
      if (!isInDag) return { list, index: at };
      const links =
        slot.at === 'before'
          ? { from: dependenciesOf(itemsAt(data, list)[index]), to: slot.part.id }
          : { from: [slot.part.id] };
      return { list, index: at, links };
    }
  }
}

function resolveLink(text: FlowText, slot: Extract<Slot, { at: 'link' }>): Target | undefined {
  const dag = text.pathOf({ kind: 'task', id: slot.dag });
  if (!dag) return undefined;
  const list = [...dag, 'tasks'];
  const beside = (id: string | undefined) => {
    const path = id === undefined ? undefined : text.pathOf({ kind: 'task', id });
    return path && standingOf(path).index;
  };
  // The tasks of a Dag's errors and finally follow each other and have no dependencies.
  const anchor = slot.to ?? slot.from;
  const path = anchor === undefined ? undefined : text.pathOf({ kind: 'task', id: anchor });
  if (anchor !== undefined && path && !isSamePath(standingOf(path).list, list)) {
    const part = { kind: 'task', id: anchor } as const;
    return resolve(text, { at: slot.to === undefined ? 'after' : 'before', part });
  }
  const to = beside(slot.to);
  const from = beside(slot.from);
  const index = to ?? (from === undefined ? itemsAt(text.data, list).length : from + 1);
  const dependencies = slot.from === undefined ? [] : [slot.from];
  return { list, index, links: { from: dependencies, ...(slot.to !== undefined && { to: slot.to }) } };
}

const dependsOn = (from: readonly string[]) => (from.length > 0 ? { dependsOn: [...from] } : {});

const isSamePath = (a: Path, b: Path): boolean =>
  a.length === b.length && a.every((step, at) => step === b[at]);

/** Keeps a place free while the element that it is for is still elsewhere in the text. */
export const placeholder = { id: 'millrace-moved-element', type: 'moved' } as const;

/** Writes an element where the placeholder stands: as its author wrote it, or its value where there are no lines. */
export function fill(source: string, written: ElementText | undefined, value: unknown): string | undefined {
  const path = findPlaceholder(readYamlData(source));
  if (!path) return undefined;
  const text = written && replaceElementText(source, path, written);
  if (text !== undefined && isSameData(valueAt(readYamlData(text), path), value)) return text;
  return editSource(source, { kind: 'set', path, value });
}

function findPlaceholder(value: unknown, path: Path = []): Path | undefined {
  if (isMap(value) && value.id === placeholder.id) return path;
  const below: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(isMap(value) ? value : {});
  for (const [step, inner] of below) {
    const found = findPlaceholder(inner, [...path, step]);
    if (found) return found;
  }
  return undefined;
}

function renameDependency(source: string, from: string, to: string): string {
  const path = readFlowText(source)?.pathOf({ kind: 'task', id: to });
  if (!path || !standingOf(path).isInDag) return source;
  return editDependencies(source, standingOf(path).list, (_, known) =>
    known.map((id) => (id === from ? to : id)),
  );
}

/** The ids that an item of a Dag depends on. */
const dependenciesOf = (item: unknown): readonly string[] => {
  const dependsOn = valueAt(item, ['dependsOn']);
  return Array.isArray(dependsOn) ? dependsOn.filter((id) => typeof id === 'string') : [];
};

const dagItemId = (item: unknown): unknown => valueAt(item, ['task', 'id']);

/** Changes what some tasks of a Dag depend on; a list that becomes empty is removed. */
function editDependencies(
  source: string,
  list: Path,
  change: (id: unknown, dependsOn: readonly string[]) => readonly string[],
): string {
  let text = source;
  for (const [index, item] of itemsAt(readYamlData(source), list).entries()) {
    const before = dependenciesOf(item);
    const after = [...new Set(change(dagItemId(item), before))];
    if (after.join('\n') === before.join('\n')) continue;
    text = editSource(text, {
      kind: 'set',
      path: [...list, index, 'dependsOn'],
      value: after.length > 0 ? after : undefined,
    });
  }
  return text;
}

/** The tasks that depend on one that leaves the Dag depend on its own dependencies instead. */
const bridge =
  (removed: string, own: readonly string[]) =>
  (_: unknown, dependsOn: readonly string[]): readonly string[] =>
    dependsOn.flatMap((id) => (id === removed ? own : [id]));
