import { asSchema, type Definitions, isDeprecated, listOf, resolve, type Schema } from './schema.ts';

export interface Property {
  readonly name: string;
  /** As written: the component that shows it resolves references. */
  readonly schema: unknown;
  readonly isRequired: boolean;
  /** Always in sight: required, or one of the few properties that make up the type. */
  readonly isMain: boolean;
  readonly hasDefault: boolean;
  readonly isDeprecated: boolean;
}

/** A type with at most this many own optional properties shows all of them: the cases of a Switch, the duration of a Pause. */
const MOST_IN_SIGHT = 5;

/**
 * The properties of an object in the order of the form: the id first and always required; then those that make up the
 * type, values before the tasks inside it, required before optional; then its other own properties, and at last those
 * that all types of the kind have. A `type` is chosen elsewhere.
 */
export function propertiesOf(definitions: Definitions, schema: Schema): Property[] {
  const required = listOf(schema.required);
  const found = Object.entries(asSchema(schema.properties))
    .filter(([name]) => name !== 'type' || !hasFixedType(schema))
    .map(([name, property]) => {
      const resolved = resolve(definitions, property);
      return {
        name,
        schema: property,
        isRequired: name === 'id' || required.includes(name),
        hasDefault: resolved.default !== undefined,
        isDeprecated: isDeprecated(resolved),
        isCommon: isCommon(property),
        hasTasks: JSON.stringify(property).includes('"#/definitions/Task"'),
      };
    });
  const own = found.filter(
    ({ name, isRequired, hasDefault, isDeprecated: isOld, isCommon: isShared }) =>
      !isRequired && !hasDefault && !isOld && !isShared && !atTheEnd.includes(name),
  );
  // Only the types of a kind have properties in common; the parts of a task show what they need alone.
  const isElement = found.some((property) => property.isCommon);
  const main = isElement && own.length <= MOST_IN_SIGHT ? own : [];
  return found
    .map((property) => ({ ...property, isMain: property.isRequired || main.includes(property) }))
    .toSorted(
      (a, b) =>
        Number(b.name === 'id') - Number(a.name === 'id') ||
        Number(b.isMain) - Number(a.isMain) ||
        (a.isMain ? Number(a.hasTasks) - Number(b.hasTasks) : Number(a.isCommon) - Number(b.isCommon)) ||
        Number(b.isRequired) - Number(a.isRequired) ||
        Number(a.hasDefault) - Number(b.hasDefault) ||
        a.name.localeCompare(b.name),
    );
}

/** What runs after the tasks of a container. */
const atTheEnd = ['errors', 'finally'];

/** The properties that all tasks or all triggers have are defined once for all of them. */
const isCommon = (property: unknown): boolean =>
  /^#\/definitions\/(Task|Trigger)\./.test(String(asSchema(property).$ref));

/** The user has already chosen the type here, so its schema says nothing about it. */
const hasFixedType = (schema: Schema): boolean => {
  const type = asSchema(asSchema(schema.properties).type);
  return Object.keys(type).length === 0 || 'const' in type;
};
