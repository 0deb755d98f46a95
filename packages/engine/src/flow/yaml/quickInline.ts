import { limits } from './limits.ts';
import type { Entry, Node, ScalarNode } from './node.ts';
import { resolvePlain } from './scalar.ts';

/** Thrown when the quick reader finds syntax that only the full reader supports. */
export class GiveUp extends Error {
  constructor() {
    super('not for the quick reader');
  }
}

/** A scalar or a flow collection that begins and ends on one line. */
export function readInline(text: string, at: number): Node {
  const char = text[at];
  if (char === '"' || char === "'") return readQuoted(text, at);
  if (char === '[' || char === '{') return readFlow(text, at, 1);
  return readPlain(text, at);
}

const doubleQuoted = /"((?:[^"\\\n]|\\.)*)"/y;
const singleQuoted = /'((?:[^'\n]|'')*)'/y;

function readQuoted(text: string, start: number): ScalarNode {
  const pattern = text[start] === '"' ? doubleQuoted : singleQuoted;
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  if (!found) throw new GiveUp();
  const written = found[1] ?? '';
  const value = pattern === doubleQuoted ? decodeEscapes(written) : written.replaceAll("''", "'");
  return { kind: 'scalar', value, text: value, start, end: pattern.lastIndex };
}

/** The escapes that YAML shares with JSON; the others are rare. */
function decodeEscapes(written: string): string {
  if (!written.includes('\\')) return written;
  if (/\\[^"\\/bfnrtu]|\\u(?![0-9a-fA-F]{4})|[\t]/.test(written)) throw new GiveUp();
  return JSON.parse(`"${written}"`) as string; // a JSON text in quotes is a text
}

/** A plain scalar of a block runs to the end of its line or to a comment. */
const plainLine = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=\S))[^\n]*/y;

function readPlain(text: string, start: number): ScalarNode {
  plainLine.lastIndex = start;
  const line = plainLine.exec(text)?.[0];
  if (line === undefined || line.includes('\t')) throw new GiveUp();
  const comment = line.indexOf(' #');
  const value = (comment === -1 ? line : line.slice(0, comment)).trimEnd();
  if (value.includes(': ') || value.endsWith(':')) throw new GiveUp();
  return { kind: 'scalar', value: resolvePlain(value), text: value, start, end: start + value.length };
}

/** A plain scalar inside brackets ends at any of their signs. */
const plainInFlow =
  /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=[\w.]))[^\s,[\]{}:#]*(?: +[^\s,[\]{}:#&*!'"]+)*(?=[ ,\]}:])/y;

function readFlow(text: string, start: number, depth: number): Node {
  if (depth > limits.maxDepth / 2) throw new GiveUp();
  return text[start] === '[' ? readFlowList(text, start, depth) : readFlowMap(text, start, depth);
}

function readFlowList(text: string, start: number, depth: number): Node {
  const items: Node[] = [];
  let at = skipSpaces(text, start + 1);
  while (text[at] !== ']') {
    const item = readFlowValue(text, at, depth);
    items.push(item);
    at = nextInFlow(text, item.end, ']');
  }
  return { kind: 'list', items, start, end: at + 1 };
}

function readFlowMap(text: string, start: number, depth: number): Node {
  const entries: Entry[] = [];
  let at = skipSpaces(text, start + 1);
  while (text[at] !== '}') {
    const key = readFlowValue(text, at, depth);
    if (key.kind !== 'scalar' || key.text === '<<' || text[key.end] !== ':' || text[key.end + 1] !== ' ') {
      throw new GiveUp();
    }
    const value = readFlowValue(text, skipSpaces(text, key.end + 1), depth);
    entries.push({ key, value });
    at = nextInFlow(text, value.end, '}');
  }
  return { kind: 'map', entries, start, end: at + 1 };
}

function readFlowValue(text: string, at: number, depth: number): Node {
  const char = text[at];
  if (char === '[' || char === '{') return readFlow(text, at, depth + 1);
  if (char === '"' || char === "'") return readQuoted(text, at);
  plainInFlow.lastIndex = at;
  const plain = plainInFlow.exec(text)?.[0];
  if (plain === undefined || plain.includes('\t')) throw new GiveUp();
  return { kind: 'scalar', value: resolvePlain(plain), text: plain, start: at, end: at + plain.length };
}

/** After a value comes a comma and another value, or the end. */
function nextInFlow(text: string, from: number, end: ']' | '}'): number {
  const at = skipSpaces(text, from);
  if (text[at] === end) return at;
  if (text[at] !== ',') throw new GiveUp();
  const next = skipSpaces(text, at + 1);
  if (text[next] === end || text[next] === ',') throw new GiveUp();
  return next;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32) at += 1;
  return at;
}
