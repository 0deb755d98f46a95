import type { Surroundings, Values } from '../command.ts';
import { type clientOptions, isJson } from './options.ts';
import { printJson } from './print.ts';

/** Prints a result: a sentence for users, JSON for scripts. */
export function tell(
  given: Values<typeof clientOptions>,
  surroundings: Surroundings,
  line: string,
  facts: Readonly<Record<string, unknown>>,
): void {
  if (isJson(given, surroundings)) printJson(surroundings.out, facts);
  else surroundings.out.write(`${line}\n`);
}
