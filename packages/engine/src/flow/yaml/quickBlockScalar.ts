import type { ScalarNode } from './node.ts';
import { GiveUp } from './quickInline.ts';

const header = /([|>])([-+]?) *(?: #[^\n]*)?(?:\n|$)/y;

/** A literal (`|`) or folded (`>`) scalar and where the line after it starts. */
export class BlockScalar {
  readonly node: ScalarNode;
  readonly nextLine: number;

  /** `parentIndent` is the column of the map or list that holds the scalar. */
  constructor(text: string, start: number, parentIndent: number) {
    header.lastIndex = start;
    const found = header.exec(text);
    if (!found) throw new GiveUp();
    const { lines, next, end } = takeLines(text, header.lastIndex, parentIndent);
    const blank = countTrailingBlanks(lines);
    const content = lines.slice(0, lines.length - blank);
    const body = found[1] === '|' ? content.join('\n') : fold(content);
    const value = body + ending(found[2] ?? '', content.length > 0, blank);
    this.node = { kind: 'scalar', value, text: value, start, end: Math.max(end, start + 1) };
    this.nextLine = next;
  }
}

function takeLines(text: string, from: number, parentIndent: number) {
  const lines: string[] = [];
  let indent = -1;
  let deepestBlank = 0;
  let at = from;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd === -1 ? text.length : lineEnd;
    let first = at;
    while (first < end && text.charCodeAt(first) === 32) first += 1;
    const column = first - at;
    if (first === end) {
      if (indent === -1) deepestBlank = Math.max(deepestBlank, column);
      // Spaces beyond the indentation are content, depending on the lines around them.
      if (indent !== -1 && column > indent) throw new GiveUp();
      lines.push('');
    } else {
      if (column <= parentIndent) break;
      if (indent === -1) indent = column;
      // Less than the first line but more than the parent: an error, or a comment that only looks like text.
      if (column < indent || deepestBlank > indent || text[at + indent] === '\t') throw new GiveUp();
      lines.push(text.slice(at + indent, end));
    }
    if (lineEnd === -1) {
      // Without a last line break, chomping has nothing to keep; the full reader knows the details.
      throw new GiveUp();
    }
    at = lineEnd + 1;
  }
  if (indent === -1) throw new GiveUp();
  return { lines, next: at, end: at };
}

function countTrailingBlanks(lines: readonly string[]): number {
  let count = 0;
  while (count < lines.length && lines[lines.length - 1 - count] === '') count += 1;
  return count;
}

function ending(chomping: string, hasContent: boolean, blank: number): string {
  if (chomping === '-' || !hasContent) return '';
  return chomping === '+' ? '\n'.repeat(blank + 1) : '\n';
}

/** Lines become one, blank lines become line breaks. Deeper lines keep theirs, which is left to the full reader. */
function fold(lines: readonly string[]): string {
  let folded = '';
  let blanks = 0;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith(' ') || line.startsWith('\t')) throw new GiveUp();
    if (line === '') blanks += 1;
    else {
      const space = blanks > 0 ? '\n'.repeat(blanks) : index === 0 ? '' : ' ';
      folded += space + line;
      blanks = 0;
    }
  }
  return folded;
}
