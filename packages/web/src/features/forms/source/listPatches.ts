import { moved } from './edit.ts';
import {
  type BlockSeq,
  columnOf,
  contentEnd,
  dashesOf,
  isFirstOnLine,
  isFlow,
  lineEnd,
  linesOf,
  type Span,
} from './layout.ts';
import { withoutBreak } from './mapPatches.ts';
import { indentRest, type Patch } from './patch.ts';
import { keptStyle, print, printItem } from './print.ts';

/** The lines of every item, with its comments; undefined when an item does not start on its own line. */
function itemLines(text: string, list: BlockSeq): Span[] | undefined {
  const dashes = dashesOf(list);
  const spans: Span[] = [];
  for (const [index, item] of list.items.entries()) {
    const dash = dashes[index];
    if (dash === undefined || !isFirstOnLine(text, dash)) return undefined;
    spans.push(linesOf(text, dash, Math.max(contentEnd(text, item), dash + 1)));
  }
  return spans;
}

export function patchReplaceItem(
  text: string,
  list: BlockSeq,
  index: number,
  value: unknown,
): Patch | undefined {
  const old = list.items[index];
  const dash = dashesOf(list)[index];
  if (!old || dash === undefined) return undefined;
  const style = keptStyle(old, value);
  if (isFlow(old) && typeof value === 'object' && value !== null) {
    const padded = /^[{[]\s/.test(text.slice(old.range[0]));
    return { start: old.range[0], end: old.range[1], text: print(value, { flow: true, padded }) };
  }
  const end = contentEnd(text, old);
  const printed = indentRest(printItem(value, style), columnOf(text, dash));
  const isOneLine = !printed.includes('\n') && !text.slice(dash, end).includes('\n');
  if (isOneLine && old.range[1] > old.range[0]) {
    return { start: old.range[0], end: old.range[1], text: print(value, { style: style ?? null }) };
  }
  if (printed.includes('\n') && text.slice(end, lineEnd(text, end)).trim() !== '') return undefined;
  return { start: dash, end: Math.max(end, dash + 1), text: printed };
}

/** A new item, as far from its neighbours as they are from each other. */
export function patchInsertItem(
  text: string,
  list: BlockSeq,
  index: number,
  value: unknown,
): Patch | undefined {
  const spans = itemLines(text, list);
  const first = spans?.[0];
  const last = spans?.at(-1);
  const [dash = 0] = dashesOf(list);
  if (!spans || !first || !last) return undefined;
  const column = columnOf(text, dash);
  const indent = ' '.repeat(column);
  const printed = indent + indentRest(printItem(value), column);
  const gap = spans[1] ? text.slice(first.end, spans[1].start) : '\n';
  const between = /^[\r\n]+$/.test(gap) ? gap : '\n';
  const before = spans[index];
  return before
    ? { start: before.start, end: before.start, text: printed + between }
    : { start: last.end, end: last.end, text: between + printed };
}

export function patchRemoveItem(text: string, list: BlockSeq, index: number): Patch | undefined {
  const spans = itemLines(text, list);
  const span = spans?.[index];
  if (!span || list.items.length === 1) return undefined;
  const isEmpty = (start: number, end: number) => text.slice(start, end).trim() === '';
  // The empty lines behind the first item would separate the list from its name.
  const next = spans?.[1];
  if (index === 0 && next && isEmpty(span.end, next.start))
    return { start: span.start, end: next.start, text: '' };
  // Those in front of the last item separate it from the one before.
  const before = spans?.[index - 1];
  if (index === list.items.length - 1 && before && isEmpty(before.end, span.start))
    return { start: before.end, end: span.end, text: '' };
  return { ...withoutBreak(text, span), text: '' };
}

/** The items in their new order, the text between them where it was. */
export function patchMove(text: string, list: BlockSeq, from: number, to: number): Patch | undefined {
  const spans = itemLines(text, list);
  const first = spans?.[0];
  const last = spans?.at(-1);
  if (!spans || !first || !last) return undefined;
  const gaps = spans.slice(1).map(({ start }, index) => text.slice(spans[index]!.end, start));
  const parts = moved(spans, from, to).map(({ start, end }) => text.slice(start, end));
  const joined = parts.map((part, index) => part + (gaps[index] ?? '')).join('');
  return { start: first.start, end: last.end, text: joined };
}
