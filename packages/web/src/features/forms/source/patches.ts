import { isCollection, isScalar } from 'yaml';
import { moved } from './edit.ts';
import {
  type BlockMap,
  type BlockSeq,
  colonOf,
  columnOf,
  contentEnd,
  dashesOf,
  isFirstOnLine,
  isFlow,
  keyOf,
  lineEnd,
  linesOf,
  type PairOfNodes,
  pairEnd,
  type Span,
} from './layout.ts';
import { keptStyle, print, printItem, printPair } from './print.ts';

/** Text that takes the place of other text. */
export interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** New lines end as the old ones do. */
export function applyPatch(source: string, { start, end, text }: Patch): string {
  const lines = source.includes('\r\n') ? text.replaceAll(/\r?\n/g, '\r\n') : text;
  return source.slice(0, start) + lines + source.slice(end);
}

/** Every line but the first moved to the column; empty lines stay empty. */
const indentRest = (text: string, column: number): string =>
  text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`);

/** Another value for a property. On one line only the value is touched; otherwise name and value are written again. */
export function patchReplacePair(text: string, pair: PairOfNodes, value: unknown): Patch | undefined {
  const colon = colonOf(pair);
  const name = keyOf(pair.key);
  if (colon === undefined || name === undefined) return undefined;
  const old = pair.value;
  const style = keptStyle(old, value);
  if (old && isFlow(old) && isCollectionValue(value)) {
    const padded = /^[{[]\s/.test(text.slice(old.range[0]));
    const end = old.range[1];
    return { start: old.range[0], end, text: print(value, { flow: true, padded }) };
  }
  const start = pair.key.range[0];
  const column = columnOf(text, start);
  const printed = indentRest(printPair(name, value, style), column);
  const end = pairEnd(text, pair);
  const isOneLine = !printed.includes('\n') && !text.slice(start, end).includes('\n');
  if (isOneLine) {
    const written = print(value, { style: style ?? null });
    // Without a value there may be a comment right behind the colon.
    if (!old || old.range[0] === old.range[1])
      return { start: colon + 1, end: colon + 1, text: ` ${written}` };
    return { start: old.range[0], end: old.range[1], text: written };
  }
  // The comment behind the last item goes with it.
  if (Array.isArray(value) && value.length === 0) return { start, end: lineEnd(text, end), text: printed };
  return { start, ...withComment(text, end, printed, column) };
}

/** A comment at the end of the replaced line would become part of a text over several lines: it moves below. */
function withComment(text: string, end: number, printed: string, column: number): Omit<Patch, 'start'> {
  const lineStop = lineEnd(text, end);
  const comment = text.slice(end, lineStop).trim();
  if (!comment.startsWith('#') || !printed.includes('\n')) return { end, text: printed };
  return { end: lineStop, text: `${printed}\n${' '.repeat(column)}${comment}` };
}

const isCollectionValue = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** A new property below the one that comes before it by the order, or below the last. */
export function patchInsertPair(
  text: string,
  map: BlockMap,
  name: string,
  value: unknown,
  order: readonly string[] = [],
): Patch | undefined {
  const first = map.items[0];
  if (!first) return undefined;
  const place = order.indexOf(name);
  const earlier = map.items.filter(({ key }) => {
    const at = order.indexOf(keyOf(key) ?? '');
    return place === -1 || (at !== -1 && at < place);
  });
  const previous = earlier.at(-1) ?? map.items.at(-1) ?? first;
  const column = columnOf(text, first.key.range[0]);
  const printed = indentRest(`\n${printPair(name, value)}`, column);
  const at = lineEnd(text, pairEnd(text, previous));
  const isRoomy = column === 0 && isCollectionValue(value) && hasGaps(text, map);
  return { start: at, end: at, text: isRoomy ? `\n${printed}` : printed };
}

/** Whether the author leaves empty lines between the parts of the document. */
function hasGaps(text: string, map: BlockMap): boolean {
  return map.items.some(({ key, value }) => {
    const above = text.slice(0, key.range[0]);
    return isCollection(value) && /\n[^\S\n]*\r?\n(?:[^\S\n]*#.*\n)*$/.test(above);
  });
}

export function patchRemovePair(text: string, map: BlockMap, pair: PairOfNodes): Patch | undefined {
  const index = map.items.indexOf(pair);
  const start = pair.key.range[0];
  if (map.items.length === 1) {
    const end = pairEnd(text, pair);
    return { start, end, text: '{}' };
  }
  if (!isFirstOnLine(text, start)) {
    // Behind a dash: the next property takes its place.
    const next = map.items[index + 1];
    return next && { start, end: next.key.range[0], text: '' };
  }
  const lines = linesOf(text, start, pairEnd(text, pair));
  return { ...withoutBreak(text, lines), text: '' };
}

/** The lines with one of the two breaks around them; two empty lines in a row become one. */
function withoutBreak(text: string, { start, end }: { start: number; end: number }) {
  const after = /^\r?\n/.exec(text.slice(end))?.[0] ?? '';
  const gap = /(?:^|\n)\r?\n$/.test(text.slice(0, start))
    ? /^(?:[^\S\n]*\r?\n)/.exec(text.slice(end + after.length))
    : null;
  if (after === '' && start > 0) {
    const before = /\r?\n$/.exec(text.slice(0, start))?.[0] ?? '';
    return { start: start - before.length, end };
  }
  return { start, end: end + after.length + (gap?.[0].length ?? 0) };
}

export function patchRename(pair: PairOfNodes, name: string): Patch | undefined {
  if (!isScalar(pair.key)) return undefined;
  return { start: pair.key.range[0], end: pair.key.range[1], text: print(name) };
}

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
