import { valueAt } from '../../forms/source/index.ts';
import { itemsAt, readFlowText, standingOf } from './flowText.ts';
import type { Part, Slot } from './slot.ts';

/** The slot one place up or down in the list of an element; undefined at its ends and in a Dag, which has no order. */
export function stepOf(source: string, part: Part, step: -1 | 1): Slot | undefined {
  const text = readFlowText(source);
  const path = text?.pathOf(part);
  if (!text || !path) return undefined;
  const { list, index, isInDag } = standingOf(path);
  const id = valueAt(itemsAt(text.data, list)[index + step], ['id']);
  if (isInDag || typeof id !== 'string') return undefined;
  return { at: step === -1 ? 'before' : 'after', part: { kind: part.kind, id } };
}
