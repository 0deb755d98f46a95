import { asSchema, type Definitions, isDeprecated, listOf, resolve, type Schema } from './schema.ts';

export interface Property {
  readonly name: string;
  /** As written: the component that shows it resolves references. */
  readonly schema: unknown;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
  readonly isDeprecated: boolean;
}

/**
 * The properties of an object in the order of the form: the id first and always required, required before optional,
 * those without a default before those with one, then by name. A `type` is chosen elsewhere.
 */
export function propertiesOf(definitions: Definitions, schema: Schema): Property[] {
  const required = listOf(schema.required);
  return Object.entries(asSchema(schema.properties))
    .filter(([name]) => name !== 'type' || !hasFixedType(schema))
    .map(([name, property]): Property => {
      const resolved = resolve(definitions, property);
      return {
        name,
        schema: property,
        isRequired: name === 'id' || required.includes(name),
        hasDefault: resolved.default !== undefined,
        isDeprecated: isDeprecated(resolved),
      };
    })
    .toSorted(
      (a, b) =>
        Number(b.name === 'id') - Number(a.name === 'id') ||
        Number(b.isRequired) - Number(a.isRequired) ||
        Number(a.hasDefault) - Number(b.hasDefault) ||
        a.name.localeCompare(b.name),
    );
}

/** The user has already chosen the type here, so its schema says nothing about it. */
const hasFixedType = (schema: Schema): boolean => {
  const type = asSchema(asSchema(schema.properties).type);
  return Object.keys(type).length === 0 || 'const' in type;
};
