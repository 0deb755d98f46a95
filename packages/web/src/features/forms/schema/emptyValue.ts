import type { Field } from './field.ts';

/** What a new entry of a list or a map begins with. */
export function emptyValue(field: Field): unknown {
  switch (field.kind) {
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'enum':
      return field.values[0];
    case 'blocks':
    case 'list':
      return [];
    case 'object':
    case 'block':
    case 'dict':
      return {};
    default:
      return '';
  }
}
