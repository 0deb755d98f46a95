import type { Span } from '../syntax/nodes.ts';

/** One step from a variable into its value; without a key when it is computed. */
export interface Step extends Span {
  readonly key: string | undefined;
  /** False for `a["key"]`, whose span includes the quotes. */
  readonly isDotted: boolean;
}

/** A variable and the attributes read from it: `outputs.load.uri`. */
export interface VariableUse extends Span {
  readonly kind: 'variable';
  readonly name: string;
  readonly steps: readonly Step[];
  /** The template handles the case that it is missing, or something unknown may provide it. */
  readonly isGuarded: boolean;
}

/** An argument that is a text: `secret("KEY")`. */
export interface TextArgument extends Span {
  readonly name: string | undefined;
  readonly index: number;
  readonly text: string;
}

/** The call of a function, filter or test. The span is that of its name. */
export interface CallUse extends Span {
  readonly kind: 'function' | 'filter' | 'test';
  readonly name: string;
  readonly positional: number;
  readonly named: readonly (Span & { readonly name: string })[];
  readonly texts: readonly TextArgument[];
  /** The template defines a macro of this name. */
  readonly isMacro: boolean;
}

export type Use = VariableUse | CallUse;

export interface SyntaxProblem extends Span {
  readonly message: string;
}

/** `{{ … }}` with its delimiters. */
export type Print = Span;

export interface Analysis {
  readonly uses: readonly Use[];
  readonly prints: readonly Print[];
  readonly problem?: SyntaxProblem;
}
