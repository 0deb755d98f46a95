import type { Context } from './context.ts';
import { ExpressionError } from './error.ts';
import { isInteger } from './numbers/number.ts';

/** The parameters of a filter, test or function. Without names extra positional arguments are ignored. */
export interface Signature {
  readonly names: readonly string[];
  /** The number of leading arguments that a call must give; 0 when absent. */
  readonly required?: number;
  /** Takes any number of positional arguments. */
  readonly variadic?: boolean;
}

/** Arguments in the order of the declared names; undefined where none was given. */
export type Values = readonly unknown[];

export interface Filter extends Signature {
  /** False for most filters: null then returns null without a call of `run`. */
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

/** A required text argument. */
export function requireText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new ExpressionError(`${what} must be a text, found ${nameOf(value)}`);
}

export function optionalText(value: unknown, what: string): string | undefined {
  return value === undefined || value === null ? undefined : requireText(value, what);
}

/** A required integer argument, as a plain number. */
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
