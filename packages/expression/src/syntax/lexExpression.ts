import { ExpressionError } from '../error.ts';
import type { Token } from './token.ts';

const name = /[\p{L}_][\p{L}\p{N}_]*/uy;
const number = /\d+(?:\.\d+)?/y;
const symbol = /\?\?\??|\.\.|[=!<>]=|[~|*/%+\-<>]/y;
const wordOperators = new Set(['and', 'or', 'not', 'is', 'equals', 'contains', 'isIn']);
const closing: { [open: string]: string } = { '(': ')', '[': ']', '{': '}' };

/** Reads the inside of one print, tag or interpolation, from its opening to its closing delimiter. */
export class ExpressionLexer {
  private readonly source: string;
  private readonly tokens: Token[];
  private lineStart = 0;
  private line = 1;

  constructor(source: string, tokens: Token[]) {
    this.source = source;
    this.tokens = tokens;
  }

  /** Lines are counted forwards only, because positions are requested in ascending order. */
  lineAt(position: number): number {
    for (; this.lineStart < position; this.lineStart++) {
      if (this.source.charCodeAt(this.lineStart) === 10) this.line++;
    }
    return this.line;
  }

  lex(start: number, close: '}}' | '%}'): { end: number; trims: boolean } {
    const line = this.lineAt(start);
    this.tokens.push({ type: 'open', value: close === '}}' ? '{{' : '{%', line, start, end: start + 2 });
    let position = start + 2;
    if (this.source[position] === '-' && /\s/.test(this.source[position + 1] ?? '')) position++;
    const end = this.lexUntil(close, position, this.tokens);
    this.tokens.push({ type: 'close', value: close, line: this.lineAt(end), start: end - 2, end });
    return { end, trims: this.source[end - 3] === '-' };
  }

  private lexUntil(close: string, start: number, tokens: Token[]): number {
    const { source } = this;
    const brackets: string[] = [];
    let position = start;
    for (;;) {
      while (/\s/.test(source[position] ?? '')) position++;
      const char = source[position];
      const line = this.lineAt(position);
      if (char === undefined) {
        const unclosed = brackets.at(-1) ?? (close === '}}' ? '{{' : close === '%}' ? '{%' : '#{');
        throw new ExpressionError(`Unclosed "${unclosed}"`, 'syntax', { line, offset: start });
      }
      if (brackets.length === 0) {
        if (source.startsWith(close, position)) return position + close.length;
        if (char === '-' && source.startsWith(close, position + 1)) return position + 1 + close.length;
      }
      if (char === '"' || char === "'") {
        position = this.lexString(char, position, tokens);
        continue;
      }
      const token = this.match(number, position);
      if (token !== null) {
        const from = position;
        position += token.length;
        // The suffix of a long literal has no effect: integers are 64 bits anyway.
        if (source[position] === 'L' && !token.includes('.')) position++;
        tokens.push({ type: 'number', value: token, line, start: from, end: position });
        continue;
      }
      const word = this.match(name, position);
      if (word !== null) {
        const isAttribute = tokens.at(-1)?.value === '.' && tokens.at(-1)?.type === 'punctuation';
        const type = wordOperators.has(word) && !isAttribute ? 'operator' : 'name';
        tokens.push({ type, value: word, line, start: position, end: position + word.length });
        position += word.length;
        continue;
      }
      const operator = this.match(symbol, position);
      if (operator !== null) {
        const end = position + operator.length;
        tokens.push({ type: 'operator', value: operator, line, start: position, end });
        position = end;
        continue;
      }
      if (!'()[]{}.,:=?'.includes(char))
        throw new ExpressionError(`Unexpected character [${char}]`, 'syntax', { line, offset: position });
      trackBracket(char, brackets, { line, offset: position });
      tokens.push({ type: 'punctuation', value: char, line, start: position, end: position + 1 });
      position++;
    }
  }

  /** The only escape is a backslash before the same quote, and not even that in an interpolated string. */
  private lexString(quote: string, start: number, tokens: Token[]): number {
    const { source } = this;
    const line = this.lineAt(start);
    const parts: (string | Token[])[] = [];
    let pieceStart = start + 1;
    for (let position = start + 1; position < source.length; position++) {
      const char = source[position];
      if (char === '\\') position++;
      else if (char === quote) {
        const rest = source.slice(pieceStart, position);
        const end = position + 1;
        if (parts.length > 0)
          tokens.push({ type: 'interpolated', value: '', line, start, end, parts: [...parts, rest] });
        else tokens.push({ type: 'string', value: rest.replaceAll(`\\${quote}`, quote), line, start, end });
        return end;
      } else if (char === '#' && quote === '"' && source[position + 1] === '{') {
        const inner: Token[] = [];
        const end = this.lexUntil('}', position + 2, inner);
        inner.push({ type: 'end', value: '', line, start: end - 1, end });
        parts.push(source.slice(pieceStart, position), inner);
        pieceStart = end;
        position = end - 1;
      }
    }
    throw new ExpressionError(`Unclosed "${quote}"`, 'syntax', { line, offset: start });
  }

  private match(pattern: RegExp, position: number): string | null {
    pattern.lastIndex = position;
    return pattern.exec(this.source)?.[0] ?? null;
  }
}

function trackBracket(char: string, brackets: string[], at: { line: number; offset: number }): void {
  if (char in closing) brackets.push(char);
  else if (char === ')' || char === ']' || char === '}') {
    const open = brackets.pop();
    if (open === undefined) throw new ExpressionError(`Unexpected "${char}"`, 'syntax', at);
    if (closing[open] !== char) throw new ExpressionError(`Unclosed "${open}"`, 'syntax', at);
  }
}
