import type { Path } from '@millrace/engine';
import { isMap, isSeq } from 'yaml';
import {
  type BlockSeq,
  columnOf,
  contentEnd,
  dashesOf,
  isFirstOnLine,
  lineEnd,
  lineStart,
  linesOf,
  type Span,
  walk,
} from './layout.ts';
import { parseSource } from './parseSource.ts';
import { applyPatch } from './patches.ts';

/** An element of a list as its author wrote it, moved to the first column, with the comments right above it. */
export interface ElementText {
  readonly comments: readonly string[];
  readonly text: string;
}

/** The text of the element at the path; undefined inside braces, brackets and behind an alias. */
export function readElementText(source: string, path: Path): ElementText | undefined {
  const place = findElement(source, path);
  if (!place) return undefined;
  const { lines, content, column } = place;
  const above = source.slice(lines.start, lineStart(source, place.dash));
  const comments = above === '' ? [] : splitLines(above.replace(/\r?\n$/, '')).map((line) => line.trim());
  const [first = '', ...rest] = splitLines(source.slice(content.start, content.end));
  return { comments, text: [first, ...rest.map((line) => dedent(line, column))].join('\n') };
}

/** Another text for the element at the path; comments are added above those that are there. */
export function replaceElementText(source: string, path: Path, element: ElementText): string | undefined {
  const place = findElement(source, path);
  if (!place) return undefined;
  const { content, column, lines, dash } = place;
  const indent = ' '.repeat(column);
  const [first = '', ...rest] = splitLines(element.text.replace(/\s+$/, ''));
  const written = [first, ...rest.map((line) => (line === '' ? '' : indent + line))].join('\n');
  const replaced = applyPatch(source, { ...content, text: written });
  if (element.comments.length === 0) return replaced;
  const margin = ' '.repeat(columnOf(source, dash));
  const text = element.comments.map((comment) => `${margin}${comment}\n`).join('');
  return applyPatch(replaced, { start: lines.start, end: lines.start, text });
}

interface ElementPlace {
  /** The whole item with the comments above it. */
  readonly lines: Span;
  /** The element without its dash and without what follows it. */
  readonly content: Span;
  /** Where the lines of the element begin. */
  readonly column: number;
  readonly dash: number;
}

/** The path leads to an item of a list, or to a map inside such an item, as in a Dag. */
function findElement(source: string, path: Path): ElementPlace | undefined {
  const depth = path.findLastIndex((step) => typeof step === 'number');
  const index = path[depth];
  const root = parseSource(source);
  if (!root || typeof index !== 'number') return undefined;
  const list = walk(root, path.slice(0, depth)).at(depth)?.node;
  const node = walk(root, path).at(path.length)?.node;
  if (!list || !node || !isSeq(list) || list.flow || !isMap(node)) return undefined;
  const dash = dashesOf(list as BlockSeq)[index];
  const item = (list as BlockSeq).items[index];
  if (dash === undefined || !item || !isFirstOnLine(source, dash)) return undefined;
  const start = node.range[0];
  return {
    lines: linesOf(source, dash, contentEnd(source, item)),
    // A comment behind the last value belongs to the element.
    content: { start, end: lineEnd(source, Math.max(contentEnd(source, node), start)) },
    column: columnOf(source, start),
    dash,
  };
}

const splitLines = (text: string): string[] => text.split(/\r?\n/);

/** Up to `column` spaces less; a comment may stand further left than the lines around it. */
function dedent(line: string, column: number): string {
  const indentation = line.length - line.trimStart().length;
  return line.slice(Math.min(column, indentation));
}
