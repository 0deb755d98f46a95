import { freeName } from '../../forms/schema/index.ts';
import { editSource, isMap, readElementText, valueAt } from '../../forms/source/index.ts';
import { itemsAt, readFlowText, standingOf } from './flowText.ts';
import { fill, placeholder } from './graphEdits.ts';
import { elementIds, renameAll, renameText } from './renameElement.ts';
import type { Part } from './slot.ts';

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
