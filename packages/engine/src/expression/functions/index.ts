import type { Fn } from '../definition.ts';
import { coreFunctions } from './core.ts';

/** Every function by name; looked up when a template is compiled. */
export const functions: ReadonlyMap<string, Fn> = new Map(
  [coreFunctions].flatMap((family) => Object.entries(family)),
);
