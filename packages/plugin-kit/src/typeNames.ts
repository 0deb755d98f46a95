import type { Definition } from './definition.ts';

const longPrefix = 'io.kestra.plugin.';

/** The canonical name of a type and its older ones. */
export type TypeNames = Pick<Definition, 'type' | 'aliases'>;

/** Every name under which a type may be written: its own, its aliases, and the long form of the short ones. */
export function namesOf({ type, aliases = [] }: TypeNames): string[] {
  return [type, ...aliases].flatMap((name) =>
    name.startsWith('io.kestra.') ? [name] : [name, longPrefix + name],
  );
}
