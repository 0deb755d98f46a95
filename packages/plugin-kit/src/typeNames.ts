import type { Definition } from './definition.ts';

const longPrefix = 'io.kestra.plugin.';

/** The canonical name of a type and its aliases. */
export type TypeNames = Pick<Definition, 'type' | 'aliases'>;

/** Every name that a flow can use for a type: its own, its aliases, and the long forms of short names. */
export function namesOf({ type, aliases = [] }: TypeNames): string[] {
  return [type, ...aliases].flatMap((name) =>
    name.startsWith('io.kestra.') ? [name] : [name, longPrefix + name],
  );
}
