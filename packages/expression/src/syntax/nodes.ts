/** Offsets into the template. Of a part with a name they are those of the name. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The syntax tree: expressions have values, statements write output. Lines count from 1. */
export type Expression =
  | (Span & { readonly type: 'literal'; readonly value: unknown })
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  | { readonly type: 'map'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly type: 'interpolation'; readonly parts: readonly (string | Expression)[] }
  | (Span & { readonly type: 'variable'; readonly name: string; readonly line: number })
  | (Span & {
      readonly type: 'attribute';
      readonly target: Expression;
      readonly key: Expression;
      readonly line: number;
    })
  | {
      readonly type: 'method';
      readonly target: Expression;
      readonly name: string;
      readonly args: Arguments;
      readonly line: number;
    }
  | { readonly type: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly type: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | (Span & {
      readonly type: 'filter';
      readonly input: Expression;
      readonly name: string;
      readonly args: Arguments;
      readonly line: number;
    })
  | (Span & {
      readonly type: 'test';
      readonly input: Expression;
      readonly name: string;
      readonly args: Arguments;
      readonly negated: boolean;
      readonly line: number;
    })
  | (Span & {
      readonly type: 'call';
      readonly name: string;
      readonly args: Arguments;
      readonly line: number;
    })
  | {
      readonly type: 'ternary';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    };

export type UnaryOperator = 'not' | '-' | '+';

export type BinaryOperator =
  | '??'
  | '???'
  | '..'
  | 'isIn'
  | '~'
  | '*'
  | '/'
  | '%'
  | '+'
  | '-'
  | '=='
  | '!='
  | '>'
  | '<'
  | '>='
  | '<='
  | 'contains'
  | 'and'
  | 'or';

export interface Arguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (Span & { readonly name: string; readonly value: Expression })[];
}

export type Statement =
  | { readonly type: 'text'; readonly text: string }
  | (Span & { readonly type: 'print'; readonly value: Expression; readonly line: number })
  | {
      readonly type: 'if';
      readonly branches: readonly {
        readonly condition: Expression;
        readonly body: readonly Statement[];
        readonly line: number;
      }[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly type: 'for';
      readonly name: string;
      readonly source: Expression;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
      readonly line: number;
    }
  | { readonly type: 'set'; readonly name: string; readonly value: Expression; readonly line: number }
  | {
      readonly type: 'macro';
      readonly name: string;
      readonly parameters: readonly Parameter[];
      readonly body: readonly Statement[];
    }
  | { readonly type: 'block'; readonly name: string; readonly body: readonly Statement[] }
  | {
      readonly type: 'filter';
      readonly filters: readonly AppliedFilter[];
      readonly body: readonly Statement[];
      readonly line: number;
    };

export interface Parameter {
  readonly name: string;
  readonly fallback: Expression | null;
}

export interface AppliedFilter extends Span {
  readonly name: string;
  readonly args: Arguments;
}
