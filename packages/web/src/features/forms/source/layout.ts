import type { Path } from '@millrace/engine';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** Offsets into the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type BlockMap = YAMLMap.Parsed;
export type BlockSeq = YAMLSeq.Parsed;
export type PairOfNodes = Pair<ParsedNode, ParsedNode | null>;

/** A step from a node to the node below it. */
export interface Step {
  readonly node: ParsedNode;
  /** The map's pair or the list's item that the next step leads through; absent where the path ends or breaks off. */
  readonly pair?: PairOfNodes;
}

/** The nodes along a path, as far as they exist, the root first. An alias is followed no further. */
export function walk(root: ParsedNode, path: Path): Step[] {
  const steps: Step[] = [];
  let node: ParsedNode | null = root;
  for (const name of path) {
    if (!node) return steps;
    if (isMap(node)) {
      const pair: PairOfNodes | undefined = (node as BlockMap).items.find(({ key }) => keyOf(key) === name);
      steps.push({ node, ...(pair && { pair }) });
      if (!pair) return steps;
      node = pair.value;
    } else {
      steps.push({ node });
      const item: ParsedNode | undefined = isSeq(node) ? (node as BlockSeq).items[name as number] : undefined;
      if (!item) return steps;
      node = item;
    }
  }
  if (node) steps.push({ node });
  return steps;
}

export const keyOf = (key: unknown): string | undefined =>
  isScalar(key) ? (typeof key.value === 'string' ? key.value : key.source) : undefined;

export const isFlow = (node: ParsedNode): boolean => (isMap(node) || isSeq(node)) && node.flow === true;
export const isClosed = (node: ParsedNode): boolean => isFlow(node) || isAlias(node);

/** Where the node's own text ends: without the empty lines and comments that follow it. */
export function contentEnd(text: string, node: ParsedNode): number {
  if (isMap(node) && !node.flow) {
    const last = (node as BlockMap).items.at(-1);
    return last ? pairEnd(text, last) : node.range[1];
  }
  if (isSeq(node) && !node.flow) {
    const last = (node as BlockSeq).items.at(-1);
    return last ? contentEnd(text, last) : node.range[1];
  }
  if (isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED)) {
    return node.range[0] + text.slice(node.range[0], node.range[1]).trimEnd().length;
  }
  return node.range[1];
}

export function pairEnd(text: string, pair: PairOfNodes): number {
  const colon = colonOf(pair);
  const afterColon = colon === undefined ? pair.key.range[1] : colon + 1;
  return pair.value ? Math.max(contentEnd(text, pair.value), afterColon) : afterColon;
}

export const colonOf = (pair: PairOfNodes): number | undefined =>
  pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind')?.offset;

/** Where the `-` of each item stands. */
export function dashesOf(list: BlockSeq): (number | undefined)[] {
  const token = list.srcToken;
  if (token?.type !== 'block-seq') return [];
  return token.items.map(({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset);
}

export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** The end of the line, before its line break. */
export function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  if (found === -1) return text.length;
  return found > at && text[found - 1] === '\r' ? found - 1 : found;
}

export const columnOf = (text: string, at: number): number => at - lineStart(text, at);
export const isFirstOnLine = (text: string, at: number): boolean =>
  text.slice(lineStart(text, at), at).trim() === '';

/** The lines from an entry's first character to the end of its last line, with the comments written right above it. */
export function linesOf(text: string, first: number, end: number): Span {
  let start = lineStart(text, first);
  const column = first - start;
  while (start > 0) {
    const above = lineStart(text, start - 1);
    const line = text.slice(above, start);
    if (!line.startsWith('#', column) || line.slice(0, column).trim() !== '') break;
    start = above;
  }
  return { start, end: lineEnd(text, end) };
}
