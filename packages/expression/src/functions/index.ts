import type { Fn } from '../definition.ts';
import { coreFunctions } from './core.ts';
import { dateFunctions } from './dates.ts';
import { formatFunctions } from './formats.ts';
import { hostFunctions } from './host.ts';
import { randomFunctions } from './random.ts';
import { runFunctions } from './runs.ts';

/** Every function by name; looked up when a template is compiled. */
export const functions: ReadonlyMap<string, Fn> = new Map(
  [coreFunctions, formatFunctions, dateFunctions, hostFunctions, runFunctions, randomFunctions].flatMap(
    (family) => Object.entries(family),
  ),
);
