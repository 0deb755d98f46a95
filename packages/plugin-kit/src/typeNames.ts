import type { Definition } from './definition.ts';

const longPrefix = 'io.kestra.plugin.';

/** Every name under which a type may be written: its own, its aliases, and the long form of the short ones. */
export function namesOf({ type, aliases = [] }: Pick<Definition, 'type' | 'aliases'>): string[] {
  return [type, ...aliases].flatMap((name) =>
    name.startsWith('io.kestra.') ? [name] : [name, longPrefix + name],
  );
}
