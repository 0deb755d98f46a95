import { lexPartial, type Token } from '@millrace/expression';

/** What the cursor is about to complete in an expression. */
export type CursorPlace =
  | { readonly kind: 'tag'; readonly begun: string }
  | { readonly kind: 'filter' | 'test'; readonly begun: string }
  /** A value may begin; in the brackets of a path it is a key: `outputs.load.rows[`. */
  | { readonly kind: 'operand'; readonly begun: string; readonly keyOf?: readonly string[] }
  /** After `outputs.load.`, or in `outputs["`. */
  | {
      readonly kind: 'member';
      readonly path: readonly string[];
      readonly begun: string;
      readonly isQuoted: boolean;
    }
  /** In a text argument: `secret("A`. */
  | { readonly kind: 'text'; readonly call: OpenCall; readonly begun: string };

/** The innermost call that is open at the cursor. */
export interface OpenCall {
  readonly kind: 'function' | 'filter';
  readonly name: string;
  /** The position of the argument at the cursor. */
  readonly index: number;
  /** The name of the argument at the cursor, when it is given by name. */
  readonly argument: string | undefined;
}

const isPunctuation = (token: Token | undefined, value: string): boolean =>
  token?.type === 'punctuation' && token.value === value;

export function placeAt(before: string): CursorPlace | undefined {
  const partial = lexPartial(before);
  if (!partial) return undefined;
  const { tokens, openText } = partial;
  if (openText) return textPlace(tokens, openText.text);
  const isTag = before.lastIndexOf('{%') > before.lastIndexOf('{{');
  const last = tokens.at(-1);
  const isWord = last?.type === 'name' && last.end === before.length;
  const begun = isWord ? last.value : '';
  const rest = isWord ? tokens.slice(0, -1) : tokens;
  const previous = rest.at(-1);
  if (isTag && rest.length === 0) return { kind: 'tag', begun };
  if (isPunctuation(previous, '.')) {
    const path = pathBefore(rest.slice(0, -1));
    return path && { kind: 'member', path, begun, isQuoted: false };
  }
  if (previous?.type === 'operator' && previous.value === '|') return { kind: 'filter', begun };
  const isTest =
    previous?.type === 'operator' &&
    (previous.value === 'is' || (previous.value === 'not' && isAfterIs(rest)));
  if (isTest) return { kind: 'test', begun };
  if (!canBegin(previous)) return undefined;
  const keyOf = isPunctuation(previous, '[') && pathBefore(rest.slice(0, -1));
  return { kind: 'operand', begun, ...(keyOf && { keyOf }) };
}

const isAfterIs = (tokens: readonly Token[]): boolean => tokens.at(-2)?.value === 'is';

/** Whether a value may follow: after an operator or an opening bracket, or at the beginning. */
function canBegin(previous: Token | undefined): boolean {
  if (!previous || previous.type === 'operator') return true;
  if (previous.type === 'punctuation') return !')]}.'.includes(previous.value);
  return previous.type === 'name' && ['if', 'elseif', 'in'].includes(previous.value);
}

function textPlace(tokens: readonly Token[], begun: string): CursorPlace | undefined {
  if (isPunctuation(tokens.at(-1), '[')) {
    const path = pathBefore(tokens.slice(0, -1));
    if (path) return { kind: 'member', path, begun, isQuoted: true };
  }
  const call = openCall(tokens);
  return call && { kind: 'text', call, begun };
}

/** The path that ends with the last token: `outputs.a["b"]`; undefined when something in it is computed. */
function pathBefore(tokens: readonly Token[]): string[] | undefined {
  const path: string[] = [];
  let at = tokens.length - 1;
  while (at >= 0) {
    const token = tokens[at];
    if (token?.type === 'name') {
      path.unshift(token.value);
      if (!isPunctuation(tokens[at - 1], '.')) return path;
      at -= 2;
    } else if (isPunctuation(token, ']')) {
      const open = openingOf(tokens, at);
      const key = tokens[open + 1];
      const isLiteral = at - open === 2 && (key?.type === 'string' || key?.type === 'number');
      path.unshift(isLiteral ? key.value : '[…]');
      at = open - 1;
    } else return undefined;
  }
  return undefined;
}

function openingOf(tokens: readonly Token[], closing: number): number {
  let depth = 0;
  for (let at = closing; at >= 0; at--) {
    if (isPunctuation(tokens[at], ']')) depth += 1;
    else if (isPunctuation(tokens[at], '[')) depth -= 1;
    if (depth === 0) return at;
  }
  return 0;
}

/** The call whose parentheses are open at the end of the tokens. */
export function openCall(tokens: readonly Token[]): OpenCall | undefined {
  let depth = 0;
  let index = 0;
  let argument: string | undefined;
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at];
    if (token?.type !== 'punctuation') continue;
    if (')]}'.includes(token.value)) depth += 1;
    else if ('([{'.includes(token.value)) {
      if (depth > 0) depth -= 1;
      else {
        const name = tokens[at - 1];
        if (token.value !== '(' || name?.type !== 'name') return undefined;
        const isFilter = tokens[at - 2]?.type === 'operator' && tokens[at - 2]?.value === '|';
        if (isPunctuation(tokens[at - 2], '.')) return undefined;
        return { kind: isFilter ? 'filter' : 'function', name: name.value, index, argument };
      }
    } else if (depth === 0 && token.value === ',') index += 1;
    else if (depth === 0 && index === 0 && token.value === '=') argument ??= tokens[at - 1]?.value;
  }
  return undefined;
}
