/** The syntax tree of a jq program. */
export type Node =
  | { readonly type: 'identity' }
  | { readonly type: 'literal'; readonly value: unknown }
  | { readonly type: 'text'; readonly format: string | null; readonly parts: readonly (string | Node)[] }
  | { readonly type: 'format'; readonly name: string }
  | { readonly type: 'index'; readonly target: Node; readonly key: Node }
  | { readonly type: 'slice'; readonly target: Node; readonly from: Node | null; readonly to: Node | null }
  | { readonly type: 'iterate'; readonly target: Node }
  | { readonly type: 'try'; readonly body: Node; readonly handler: Node | null }
  | { readonly type: 'array'; readonly body: Node | null }
  | { readonly type: 'object'; readonly entries: readonly (readonly [Node, Node])[] }
  | { readonly type: 'negate'; readonly operand: Node }
  | {
      readonly type: 'pipe' | 'comma' | 'and' | 'or' | 'alternative';
      readonly left: Node;
      readonly right: Node;
    }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly type: 'assign'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly type: 'if'; readonly condition: Node; readonly then: Node; readonly otherwise: Node | null }
  | {
      readonly type: 'reduce';
      readonly source: Node;
      readonly pattern: Pattern;
      readonly start: Node;
      readonly update: Node;
    }
  | {
      readonly type: 'foreach';
      readonly source: Node;
      readonly pattern: Pattern;
      readonly start: Node;
      readonly update: Node;
      readonly extract: Node | null;
    }
  | { readonly type: 'as'; readonly source: Node; readonly patterns: readonly Pattern[]; readonly body: Node }
  | { readonly type: 'def'; readonly definition: Definition; readonly body: Node }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'label'; readonly name: string; readonly body: Node }
  | { readonly type: 'break'; readonly name: string };

/** Where a value is bound: a variable, or the parts of an array or object. */
export type Pattern =
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'array'; readonly items: readonly Pattern[] }
  | {
      readonly type: 'object';
      readonly entries: readonly {
        readonly key: Node;
        readonly variable: string | null;
        readonly value: Pattern | null;
      }[];
    };

export interface Definition {
  readonly name: string;
  /** A parameter that begins with `$` is also bound as a variable. */
  readonly parameters: readonly string[];
  readonly body: Node;
}
