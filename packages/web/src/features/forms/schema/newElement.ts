import { isMap } from '../source/edit.ts';
import { requiredDefaults } from './branch.ts';
import type { Field } from './field.ts';
import { asSchema, type Schema } from './schema.ts';

/** A thing of a type as it begins: its name if it needs one, its type, and what the schema gives it. */
export function newElement(
  schema: Schema,
  type: string,
  taken: ReadonlySet<string>,
): Record<string, unknown> {
  const needsId = 'id' in asSchema(schema.properties);
  return { ...(needsId && { id: freeId(type, taken) }), type, ...requiredDefaults(schema) };
}

/** Another type for the same thing: it keeps its name and whatever the new type knows too. */
export function withType(schema: Schema, element: unknown, type: string): Record<string, unknown> {
  const properties = asSchema(schema.properties);
  const kept = Object.entries(isMap(element) ? element : {}).filter(
    ([name]) => name === 'id' || name === 'type' || name in properties,
  );
  return { ...requiredDefaults(schema), ...Object.fromEntries(kept), type };
}

/** `core.log.Log` becomes `log`, the second one `log_2`. */
export function freeId(type: string, taken: ReadonlySet<string>): string {
  const base = type
    .slice(type.lastIndexOf('.') + 1)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return freeName(base, taken);
}

export function freeName(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  const stem = base.replace(/_\d+$/, '');
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}_${number}`)) return `${stem}_${number}`;
}

/** Every id below a value: names of tasks must differ in the whole flow. */
export function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) idsIn(item, found);
  else if (isMap(value)) {
    if (typeof value.id === 'string') found.add(value.id);
    for (const item of Object.values(value)) idsIn(item, found);
  }
  return found;
}

/** A copy whose names, its own and those inside it, are not taken yet. */
export function copyOf(value: unknown, taken: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => copyOf(item, taken));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name !== 'id' || typeof item !== 'string') return [name, copyOf(item, taken)];
      const id = freeName(item, taken);
      taken.add(id);
      return [name, id];
    }),
  );
}

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
