import { ExpressionError } from '../error.ts';
import { readEscape } from '../ion/readEscape.ts';

export interface JqToken {
  readonly type: 'name' | 'field' | 'variable' | 'format' | 'number' | 'text' | 'symbol' | 'end';
  readonly value: string;
  /** The pieces of a text: literal, or the tokens of an interpolation. */
  readonly parts?: readonly (string | readonly JqToken[])[];
}

const blank = /(?:\s|#[^\n]*)+/y;
const patterns: readonly (readonly [JqToken['type'], RegExp])[] = [
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['field', /\.[A-Za-z_]\w*/y],
  ['variable', /\$(?:__loc__|[A-Za-z_]\w*(?:::\w+)*)/y],
  ['format', /@[A-Za-z_]\w*/y],
  ['name', /[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*/y],
  ['symbol', /\?\/\/|\/\/=|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\/\/|\.\.|[.[\](){}|,:;=<>+\-*/%?$]/y],
];

/** Cuts a jq program into tokens. */
export function lexJq(source: string): JqToken[] {
  return new JqLexer(source).read(null).tokens;
}

class JqLexer {
  private readonly source: string;
  private position = 0;

  constructor(source: string) {
    this.source = source;
  }

  /** Reads to the end, or to the parenthesis that closes an interpolation. */
  read(close: ')' | null): { tokens: JqToken[] } {
    const tokens: JqToken[] = [];
    let depth = 0;
    for (;;) {
      this.match(blank);
      const char = this.source[this.position];
      if (char === undefined) {
        if (close) throw new ExpressionError('Invalid jq: unclosed interpolation');
        return { tokens: [...tokens, { type: 'end', value: '' }] };
      }
      if (close && char === ')' && depth === 0) {
        this.position++;
        return { tokens: [...tokens, { type: 'end', value: '' }] };
      }
      if (char === '(') depth++;
      if (char === ')') depth--;
      tokens.push(char === '"' ? this.readText() : this.readToken(char));
    }
  }

  private readToken(char: string): JqToken {
    for (const [type, pattern] of patterns) {
      const value = this.match(pattern);
      if (value !== null) return { type, value };
    }
    throw new ExpressionError(`Invalid jq: unexpected '${char}' at position ${this.position}`);
  }

  private readText(): JqToken {
    const parts: (string | readonly JqToken[])[] = [];
    let text = '';
    this.position++;
    for (;;) {
      const char = this.source[this.position];
      if (char === undefined) throw new ExpressionError('Invalid jq: unclosed text');
      if (char === '"') {
        this.position++;
        return { type: 'text', value: text, parts: [...parts, text] };
      }
      if (char !== '\\') {
        text += char;
        this.position++;
      } else if (this.source[this.position + 1] === '(') {
        this.position += 2;
        parts.push(text, this.read(')').tokens);
        text = '';
      } else {
        const sequence = readEscape(this.source, this.position);
        text += sequence.text;
        this.position = sequence.end;
      }
    }
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source)?.[0] ?? null;
    if (found !== null) this.position += found.length;
    return found;
  }
}
