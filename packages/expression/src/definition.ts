import type { Context } from './context.ts';
import { ExpressionError } from './error.ts';
import { isInteger } from './numbers/number.ts';

/** What a filter, test or function takes. Without declared names extra positional arguments are ignored. */
export interface Signature {
  readonly names: readonly string[];
  /** Takes any number of positional arguments. */
  readonly variadic?: boolean;
}

/** Arguments in the order of the declared names; undefined where none was given. */
export type Values = readonly unknown[];

export interface Filter extends Signature {
  /** Most filters answer null for null without being asked. */
  readonly acceptsNull?: boolean;
  readonly run: (input: unknown, args: Values, context: Context) => unknown;
}

export interface Test extends Signature {
  readonly run: (input: unknown, args: Values, context: Context) => boolean;
}

export interface Fn extends Signature {
  readonly run: (args: Values, context: Context) => unknown;
}

export type Filters = { readonly [name: string]: Filter };
export type Fns = { readonly [name: string]: Fn };

/** A text argument that must be there. */
export function requireText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new ExpressionError(`${what} must be a text, found ${nameOf(value)}`);
}

export function optionalText(value: unknown, what: string): string | undefined {
  return value === undefined || value === null ? undefined : requireText(value, what);
}

/** An integer argument that must be there, as a plain number. */
export function requireInteger(value: unknown, what: string): number {
  if (isInteger(value)) return Number(value);
  throw new ExpressionError(`${what} must be an integer, found ${nameOf(value)}`);
}

export function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
