import type { ScalarNode } from '../flow/yaml/node.ts';

/**
 * Maps offsets in the value of a YAML scalar to offsets in the document. Quotes, escapes, indentation and
 * folded lines make them differ. Blanks may be off by some columns, other characters are exact.
 */
export function scalarOffsets(text: string, node: ScalarNode): (offset: number) => number {
  const { start, text: value } = node;
  const first = text[start];
  const isQuoted = first === '"' || first === "'";
  const from = isQuoted ? start + 1 : start;
  if (text.startsWith(value, from) && (!isQuoted || text[from + value.length] === first))
    return (offset) => from + Math.min(offset, value.length);
  let map: readonly number[] | undefined;
  return (offset) => {
    map ??= align(text, node);
    return map[Math.min(offset, value.length)] ?? start;
  };
}

function align(text: string, { start, end, text: value }: ScalarNode): number[] {
  const quote = text[start];
  let at = start;
  if (quote === '"' || quote === "'") at += 1;
  // The header of a block scalar has a separate line.
  else if (quote === '|' || quote === '>') at = nextLine(text, start);
  const map: number[] = [];
  for (const char of unitsOf(value)) {
    if (isBlank(char)) {
      map.push(at);
      const escaped = quote === '"' ? escapeLength(text, at) : 0;
      if (escaped > 0) at += escaped;
      else if (isBlank(text[at])) at += 1;
      continue;
    }
    at = skipBlanks(text, at, end, quote);
    map.push(at);
    if (quote === '"') at += escapeLength(text, at) || 1;
    else at += quote === "'" && text.startsWith("''", at) ? 2 : 1;
  }
  map.push(at);
  return map;
}

/** UTF-16 code units, as offsets count them. */
function* unitsOf(value: string): Generator<string> {
  for (let index = 0; index < value.length; index++) yield value[index] ?? '';
}

function skipBlanks(text: string, from: number, end: number, quote: string | undefined): number {
  let at = from;
  for (; at < end; at++) {
    if (isBlank(text[at])) continue;
    // A backslash at the end of a line continues the text on the next one.
    if (quote === '"' && text[at] === '\\' && (text[at + 1] === '\n' || text[at + 1] === '\r')) continue;
    break;
  }
  return at;
}

const digitsOf: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The length of the escape sequence at an offset; 0 when there is none. */
const escapeLength = (text: string, at: number): number =>
  text[at] === '\\' ? 2 + (digitsOf[text[at + 1] ?? ''] ?? 0) : 0;

const nextLine = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
};

const isBlank = (char: string | undefined): boolean =>
  char === ' ' || char === '\n' || char === '\r' || char === '\t';
