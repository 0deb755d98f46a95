import { ExpressionError } from './error.ts';
import type { Session } from './session.ts';
import { type PlainMap, plainMapOf } from './values/kind.ts';
import { printedText } from './values/text.ts';

/** An expression or statement, compiled. */
export type Evaluate = (context: Context) => unknown;
export type Execute = (context: Context) => void;

export interface Macro {
  readonly parameters: readonly { readonly name: string; readonly fallback: Evaluate | null }[];
  readonly body: Execute;
}

/** A compiled template; immutable, shared by all renderings of the same source. */
export interface Template {
  readonly source: string;
  readonly body: Execute;
  readonly macros: ReadonlyMap<string, Macro>;
  readonly blocks: ReadonlyMap<string, Execute>;
}

/** Variables made by the template itself. Behind an isolated scope (a macro's) nothing further out is visible. */
export class Scope {
  readonly values = new Map<string, unknown>();
  readonly parent: Scope | null;
  readonly isIsolated: boolean;

  constructor(parent: Scope | null, isIsolated = false) {
    this.parent = parent;
    this.isIsolated = isIsolated;
  }
}

/** The evaluation of one template: its output and its visible names. */
export class Context {
  readonly session: Session;
  readonly template: Template;
  /** Renders a text found inside a template; given by the renderer, which this file must not import. */
  readonly renderText: (source: string, context: Context, recursive: boolean) => string;
  out = '';
  /** In typed mode the printed values themselves; null while rendering to text. */
  parts: unknown[] | null = null;
  /** The line being evaluated, for errors that do not know theirs. */
  line = 1;
  scope: Scope | null;
  calls: number;

  constructor(
    session: Session,
    template: Template,
    renderText: (source: string, context: Context, recursive: boolean) => string,
    outer: Context | null,
  ) {
    this.session = session;
    this.template = template;
    this.renderText = renderText;
    this.scope = outer?.scope ? new Scope(outer.scope) : null;
    this.calls = outer ? outer.calls : 0;
  }

  write(text: string): void {
    if (this.parts) this.parts.push(text);
    else {
      this.out += text;
      this.session.checkText(this.out.length);
    }
  }

  print(value: unknown): void {
    if (this.parts) this.parts.push(value);
    else this.write(printedText(value, this.session));
  }

  /** Runs a statement and returns its output as text, in either mode. */
  capture(execute: Execute): string {
    const { out, parts } = this;
    this.out = '';
    this.parts = null;
    try {
      execute(this);
      return this.out;
    } finally {
      this.out = out;
      this.parts = parts;
    }
  }

  /** Enters one more level of macros, blocks and render(); throws on endless recursion. */
  nest<T>(work: () => T): T {
    const { maxCalls } = this.session.limits;
    if (this.calls >= maxCalls)
      throw new ExpressionError(`Calls nest deeper than ${maxCalls} levels`, 'limit');
    this.calls++;
    try {
      return work();
    } finally {
      this.calls--;
    }
  }

  /** The value of a name; undefined when there is none. */
  lookup(name: string): unknown {
    for (let scope = this.scope; scope !== null; scope = scope.parent) {
      const value = scope.values.get(name);
      if (value !== undefined) return value;
      if (scope.isIsolated) return undefined;
    }
    const value = this.session.variable(name);
    return value === undefined && name === '_context' ? this.allVariables() : value;
  }

  /** Assigns to the nearest scope that has the name, else to the current one; the caller's data stays untouched. */
  assign(name: string, value: unknown): void {
    const current = this.ensureScope();
    for (let scope: Scope | null = current; scope !== null; scope = scope.parent) {
      const isOutermost = scope.parent === null && !scope.isIsolated;
      if (scope.values.has(name) || (isOutermost && this.session.variable(name) !== undefined)) {
        scope.values.set(name, value);
        return;
      }
      if (scope.isIsolated) break;
    }
    current.values.set(name, value);
  }

  ensureScope(): Scope {
    this.scope ??= new Scope(null);
    return this.scope;
  }

  /** Every visible variable, the template's own over the given ones. */
  allVariables(): PlainMap {
    const scopes: Scope[] = [];
    for (let scope = this.scope; scope !== null; scope = scope.parent) {
      scopes.unshift(scope);
      if (scope.isIsolated) return plainMapOf(scopes.flatMap((each) => [...each.values]));
    }
    const given = Object.keys(this.session.variables).map(
      (key) => [key, this.session.variable(key)] as const,
    );
    return plainMapOf([...given, ...scopes.flatMap((each) => [...each.values])]);
  }
}
