import { filters } from './filters/index.ts';
import { functions } from './functions/index.ts';

/** Every filter that an expression may use; the compiler itself implements `className`. */
export const filterNames: readonly string[] = [...new Set([...filters.keys(), 'className'])].sort();

/** Every function that an expression may use, with the names of its arguments. */
export const functionSignatures: readonly { readonly name: string; readonly names: readonly string[] }[] = [
  ...functions,
]
  .map(([name, { names }]) => ({ name, names }))
  .sort((a, b) => a.name.localeCompare(b.name));
