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

  /** Lines are counted forwards only; positions are asked for in rising order. */
  lineAt(position: number): number {
    for (; this.lineStart < position; this.lineStart++) {
      if (this.source.charCodeAt(this.lineStart) === 10) this.line++;
    }
    return this.line;
  }

  lex(start: number, close: '}}' | '%}'): { end: number; trims: boolean } {
    this.tokens.push({ type: 'open', value: close === '}}' ? '{{' : '{%', line: this.lineAt(start) });
    let position = start + 2;
    if (this.source[position] === '-' && /\s/.test(this.source[position + 1] ?? '')) position++;
    const end = this.lexUntil(close, position, this.tokens);
    this.tokens.push({ type: 'close', value: close, line: this.lineAt(end) });
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
        throw new ExpressionError(`Unclosed "${unclosed}"`, 'syntax', { line });
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
        position += token.length;
        // The suffix of a long literal carries nothing: integers are 64 bits anyway.
        if (source[position] === 'L' && !token.includes('.')) position++;
        tokens.push({ type: 'number', value: token, line });
        continue;
      }
      const word = this.match(name, position);
      if (word !== null) {
        const isAttribute = tokens.at(-1)?.value === '.' && tokens.at(-1)?.type === 'punctuation';
        const type = wordOperators.has(word) && !isAttribute ? 'operator' : 'name';
        tokens.push({ type, value: word, line });
        position += word.length;
        continue;
      }
      const operator = this.match(symbol, position);
      if (operator !== null) {
        tokens.push({ type: 'operator', value: operator, line });
        position += operator.length;
        continue;
      }
      if (!'()[]{}.,:=?'.includes(char))
        throw new ExpressionError(`Unexpected character [${char}]`, 'syntax', { line });
      trackBracket(char, brackets, line);
      tokens.push({ type: 'punctuation', value: char, line });
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
        if (parts.length > 0) tokens.push({ type: 'interpolated', value: '', line, parts: [...parts, rest] });
        else tokens.push({ type: 'string', value: rest.replaceAll(`\\${quote}`, quote), line });
        return position + 1;
      } else if (char === '#' && quote === '"' && source[position + 1] === '{') {
        const inner: Token[] = [];
        const end = this.lexUntil('}', position + 2, inner);
        inner.push({ type: 'end', value: '', line });
        parts.push(source.slice(pieceStart, position), inner);
        pieceStart = end;
        position = end - 1;
      }
    }
    throw new ExpressionError(`Unclosed "${quote}"`, 'syntax', { line });
  }

  private match(pattern: RegExp, position: number): string | null {
    pattern.lastIndex = position;
    return pattern.exec(this.source)?.[0] ?? null;
  }
}

function trackBracket(char: string, brackets: string[], line: number): void {
  if (char in closing) brackets.push(char);
  else if (char === ')' || char === ']' || char === '}') {
    const open = brackets.pop();
    if (open === undefined) throw new ExpressionError(`Unexpected "${char}"`, 'syntax', { line });
    if (closing[open] !== char) throw new ExpressionError(`Unclosed "${open}"`, 'syntax', { line });
  }
}
