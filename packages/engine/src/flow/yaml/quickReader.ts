import { limits } from './limits.ts';
import type { Entry, ListNode, MapNode, Node, ScalarNode } from './node.ts';
import { BlockScalar } from './quickBlockScalar.ts';
import { GiveUp, readInline } from './quickInline.ts';
import { resolvePlain } from './scalar.ts';

/**
 * Reads the YAML subset that flows use: block maps and lists, one-line scalars, block scalars, flow
 * collections on one line. It is about twenty times faster than the library, which an editor needs at each
 * keystroke and a server with ten thousand flows at each start. For any other or invalid syntax it returns
 * `undefined`, and the full reader reads the text.
 */
export function readQuickly(text: string): Node | undefined {
  if (unusual.test(text)) return undefined;
  try {
    return new QuickReader(text).readDocument();
  } catch (error) {
    if (error instanceof GiveUp) return undefined;
    throw error;
  }
}

/** Control characters, foreign line breaks, and marks of a document at the start of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const unusual = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]|^(?:---|\.\.\.|%)/m;

const plainKey = /[A-Za-z0-9_$][\w$./-]*(?: [\w$./-]+)*(?= *:(?: |$))/my;
const quotedKey = /(?:"([^"\\\n]*)"|'([^'\n]*)')(?= *:(?: |$))/my;
const restOfLine = / *(?:(?<=[ :-])#[^\n]*)?$/my;

class QuickReader {
  readonly #text: string;
  /** Where the next unread thing starts; always at a line's first character that is not a space, or its end. */
  #at = 0;
  /** The column of `#at`. */
  #column = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): Node | undefined {
    this.#nextLine(0);
    if (this.#isAtEnd) return undefined;
    const node = this.#readCollection();
    if (!this.#isAtEnd) throw new GiveUp();
    return node;
  }

  get #isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get #isAtDash(): boolean {
    if (this.#text[this.#at] !== '-') return false;
    const after = this.#text[this.#at + 1];
    return after === ' ' || after === '\n' || after === undefined;
  }

  /** Moves to the first line at or after an offset that holds more than spaces and comments. */
  #nextLine(lineStart: number): void {
    const text = this.#text;
    let start = lineStart;
    for (;;) {
      let at = start;
      while (text.charCodeAt(at) === 32) at += 1;
      const char = text[at];
      if (char === '#' || char === '\n') {
        const end = text.indexOf('\n', at);
        if (end === -1) {
          this.#at = text.length;
          this.#column = 0;
          return;
        }
        start = end + 1;
        continue;
      }
      if (char === '\t') throw new GiveUp();
      this.#at = at;
      this.#column = char === undefined ? 0 : at - start;
      return;
    }
  }

  #readCollection(): Node {
    this.#depth += 1;
    if (this.#depth > limits.maxDepth / 2) throw new GiveUp();
    const node = this.#isAtDash ? this.#readList() : this.#readMap();
    this.#depth -= 1;
    return node;
  }

  #readMap(): MapNode {
    const indent = this.#column;
    const start = this.#at;
    const entries: Entry[] = [];
    let end = start;
    do {
      const key = this.#readKey();
      if (!key) throw new GiveUp();
      const value = this.#readValue(indent, this.#text.indexOf(':', key.end) + 1, true);
      entries.push({ key, value });
      end = Math.max(value.end, key.end);
    } while (!this.#isAtEnd && this.#column === indent && !this.#isAtDash);
    if (this.#column > indent) throw new GiveUp();
    return { kind: 'map', entries, start, end };
  }

  #readList(): ListNode {
    const indent = this.#column;
    const start = this.#at;
    const items: Node[] = [];
    let end = start;
    do {
      const item = this.#readItem(indent);
      items.push(item);
      end = Math.max(item.end, end);
    } while (!this.#isAtEnd && this.#column === indent && this.#isAtDash);
    if (this.#column > indent) throw new GiveUp();
    return { kind: 'list', items, start, end };
  }

  /** The item after a dash: a collection that starts on the same line, or a value like that of a map. */
  #readItem(indent: number): Node {
    const afterDash = this.#at + 1;
    let at = afterDash;
    while (this.#text.charCodeAt(at) === 32) at += 1;
    const column = this.#column + (at - this.#at);
    const char = this.#text[at];
    if (char !== undefined && char !== '\n' && char !== '#') {
      this.#at = at;
      this.#column = column;
      if (this.#isAtDash || this.#readKey()) return this.#readCollection();
    }
    return this.#readValue(indent, afterDash, false);
  }

  /** The key at the reading position, without moving; undefined when there is no simple key. */
  #readKey(): ScalarNode | undefined {
    const start = this.#at;
    plainKey.lastIndex = start;
    const plain = plainKey.exec(this.#text)?.[0];
    if (plain !== undefined) {
      return { kind: 'scalar', value: resolvePlain(plain), text: plain, start, end: start + plain.length };
    }
    quotedKey.lastIndex = start;
    const quoted = quotedKey.exec(this.#text);
    if (!quoted) return undefined;
    const text = quoted[1] ?? quoted[2] ?? '';
    return { kind: 'scalar', value: text, text, start, end: start + quoted[0].length };
  }

  /** The value after a colon or a dash, on the same line or on the lines below. */
  #readValue(indent: number, from: number, ofMap: boolean): Node {
    const text = this.#text;
    restOfLine.lastIndex = from;
    if (restOfLine.test(text)) return this.#readBelow(indent, from, restOfLine.lastIndex, ofMap);
    let at = from;
    while (text.charCodeAt(at) === 32) at += 1;
    const char = text[at];
    if (char === '|' || char === '>') {
      const scalar = new BlockScalar(text, at, indent);
      this.#nextLine(scalar.nextLine);
      return scalar.node;
    }
    const node = readInline(text, at);
    restOfLine.lastIndex = node.end;
    if (!restOfLine.test(text)) throw new GiveUp();
    this.#nextLine(restOfLine.lastIndex + 1);
    // A deeper line would continue this scalar.
    if (!this.#isAtEnd && this.#column > indent) throw new GiveUp();
    return node;
  }

  #readBelow(indent: number, from: number, lineEnd: number, ofMap: boolean): Node {
    this.#nextLine(lineEnd + 1);
    if (!this.#isAtEnd) {
      if (this.#column > indent) return this.#readCollection();
      // A list that is a map's value may have the same indentation as its key.
      if (ofMap && this.#column === indent && this.#isAtDash) return this.#readCollection();
    }
    return { kind: 'scalar', value: null, text: '', start: from, end: from };
  }
}
