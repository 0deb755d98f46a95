import type { Signature } from './definition.ts';
import { filters } from './filters/index.ts';
import { functions } from './functions/index.ts';
import { tests } from './tests.ts';

/** Every filter that an expression may use; the compiler itself implements `className`. */
export const filterNames: readonly string[] = [...new Set([...filters.keys(), 'className'])].sort();

/** Every function that an expression may use, with the names of its arguments. */
export const functionSignatures: readonly { readonly name: string; readonly names: readonly string[] }[] = [
  ...functions,
]
  .map(([name, { names }]) => ({ name, names }))
  .sort((a, b) => a.name.localeCompare(b.name));

/** Every test that may follow `is`; the compiler itself implements `defined`. */
export const testNames: readonly string[] = [...new Set([...tests.keys(), 'defined'])].sort();

const nothing: Signature = { names: [] };

/** The parameters of a function, filter or test; undefined when there is none of that name. */
export function signatureOf(kind: 'function' | 'filter' | 'test', name: string): Signature | undefined {
  if (kind === 'function') return functions.get(name);
  if (kind === 'filter') return name === 'className' ? nothing : filters.get(name);
  return name === 'defined' ? nothing : tests.get(name);
}
