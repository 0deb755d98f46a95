import { type Path, type Renames, renameReferences } from '@millrace/engine';
import { freeName } from '../../forms/schema/index.ts';
import {
  type ElementText,
  editSource,
  isMap,
  readElementText,
  readYamlData,
  valueAt,
} from '../../forms/source/index.ts';
import { itemsAt, readFlowText, standingOf } from './flowText.ts';
import { fill, placeholder } from './graphEdits.ts';
import type { Part } from './slot.ts';

/** The ids of an element and of the tasks inside it: those with a type. */
export function elementIds(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(elementIds);
  if (!isMap(value)) return [];
  const own = typeof value.id === 'string' && typeof value.type === 'string' ? [value.id] : [];
  return [...own, ...Object.values(value).flatMap(elementIds)];
}

/** The value with its new ids, references included; `change` changes other names in its expressions. */
export function renameAll(value: unknown, renames: Renames, change = unchanged): unknown {
  if (typeof value === 'string') return change(renameReferences(value, renames));
  if (Array.isArray(value)) return value.map((item) => renameAll(item, renames, change));
  if (!isMap(value)) return value;
  const isElement = typeof value.type === 'string';
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === 'id' && isElement && typeof inner === 'string') return [name, renames.get(inner) ?? inner];
      if (name === 'dependsOn' && Array.isArray(inner))
        return [name, inner.map((id) => renames.get(String(id)) ?? id)];
      return [name, renameAll(inner, renames, change)];
    }),
  );
}

/** The same on the text of the element, so that its comments and quotes stay. */
export function renameText({ text }: ElementText, renames: Renames, change = unchanged): string {
  let changed = text;
  const before = readYamlData(text);
  walkChanges(before, renameAll(before, renames, change), [], (path, value) => {
    changed = editSource(changed, { kind: 'set', path, value });
  });
  return changed;
}

const unchanged = (text: string): string => text;

function walkChanges(
  before: unknown,
  after: unknown,
  path: Path,
  report: (path: Path, value: unknown) => void,
) {
  if (Array.isArray(before) && Array.isArray(after))
    for (const [index, item] of before.entries()) walkChanges(item, after[index], [...path, index], report);
  else if (isMap(before) && isMap(after))
    for (const [name, item] of Object.entries(before))
      walkChanges(item, after[name], [...path, name], report);
  else if (before !== after) report(path, after);
}

/**
 * Inserts a copy below an element. The copy and every task inside it get free ids, and expressions inside the copy
 * read the copies of those tasks.
 */
export function duplicateElement(source: string, part: Part): { source: string; id: string } | undefined {
  const text = readFlowText(source);
  const path = text?.pathOf(part);
  if (!text || !path) return undefined;
  const value = valueAt(text.data, path);
  const renames = new Map<string, string>();
  const taken = new Set(text.ids);
  for (const id of elementIds(value)) {
    const name = freeName(id, taken);
    taken.add(name);
    renames.set(id, name);
  }
  const { list, index, isInDag } = standingOf(path);
  const item = itemsAt(text.data, list)[index];
  const copy = isInDag && isMap(item) ? { ...item, task: placeholder } : placeholder;
  const inserted = editSource(source, { kind: 'insert', path: list, index: index + 1, value: copy });
  const written = readElementText(source, path);
  const result = fill(
    inserted,
    written && { comments: [], text: renameText(written, renames) },
    renameAll(value, renames),
  );
  const id = renames.get(part.id);
  return result === undefined || id === undefined ? undefined : { source: result, id };
}
