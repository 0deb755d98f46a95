import { ExpressionError } from '../error.ts';
import { describeType, type Token, type TokenType } from './token.ts';

/** A sequence of tokens, with the errors that a parser throws. */
export class TokenStream {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  get current(): Token {
    return this.peek(0);
  }

  peek(distance: number): Token {
    const token = this.tokens[this.position + distance] ?? this.tokens.at(-1);
    if (!token) throw new ExpressionError('Unexpected end of template', 'syntax');
    return token;
  }

  /** The token that was consumed last. */
  get previous(): Token {
    return this.peek(-1);
  }

  next(): Token {
    const token = this.current;
    this.position++;
    return token;
  }

  is(type: TokenType, value?: string): boolean {
    const { current } = this;
    return current.type === type && (value === undefined || current.value === value);
  }

  /** Consumes the token if it matches. */
  accept(type: TokenType, value?: string): boolean {
    if (!this.is(type, value)) return false;
    this.position++;
    return true;
  }

  expect(type: TokenType, value?: string): Token {
    if (this.is(type, value)) return this.next();
    const wanted = `${describeType(type)}${value === undefined ? '' : ` with value "${value}"`}`;
    throw this.unexpected(`, expected token of type ${wanted}`);
  }

  unexpected(expectation = ''): ExpressionError {
    const { current } = this;
    const found = `Unexpected token of value "${current.value}" and type ${describeType(current.type)}`;
    return new ExpressionError(`${found}${expectation}`, 'syntax', {
      line: current.line,
      offset: current.start,
    });
  }
}
