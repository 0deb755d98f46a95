export type TokenType =
  | 'text'
  | 'name'
  | 'number'
  | 'string'
  | 'interpolated'
  | 'operator'
  | 'punctuation'
  | 'open'
  | 'close'
  | 'end';

/** One lexical unit. `open` and `close` are the delimiters of a print (`{{`, `}}`) or a tag (`{%`, `%}`). */
export interface Token {
  readonly type: TokenType;
  readonly value: string;
  readonly line: number;
  /** Offsets into the template. */
  readonly start: number;
  readonly end: number;
  /** The pieces of an interpolated string: literal text, or the tokens of an embedded expression. */
  readonly parts?: readonly (string | readonly Token[])[];
}

const described: { [type in TokenType]: string } = {
  text: 'TEXT',
  name: 'NAME',
  number: 'NUMBER',
  string: 'STRING',
  interpolated: 'STRING',
  operator: 'OPERATOR',
  punctuation: 'PUNCTUATION',
  open: 'OPEN',
  close: 'CLOSE',
  end: 'END',
};

export function describeType(type: TokenType): string {
  return described[type];
}
